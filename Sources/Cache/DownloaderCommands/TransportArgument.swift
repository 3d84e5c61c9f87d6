internal import ArgumentParser
internal import CurlTransport
internal import URLSessionTransport
internal import VideoCache

/// `--transport`.
enum TransportArgument: String, CaseIterable, ExpressibleByArgument {
    case curl
    case urlsession

    /// Creates the transport.
    ///
    /// - Parameter maximumRedirects: the most redirects followed in a row.
    /// - Returns: a transport without connections.
    func make(maximumRedirects: Int = 10) -> any HTTPTransport {
        switch self {
        case .curl: CurlTransport(options: .init(maximumRedirects: maximumRedirects))
        case .urlsession: URLSessionTransport(options: .init(maximumRedirects: maximumRedirects))
        }
    }
}
