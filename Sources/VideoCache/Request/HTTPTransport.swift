/// One HTTP GET as the cache asks for it.
public struct HTTPRequest: Sendable, Hashable {
    /// Which bytes are asked for.
    public enum Target: Sendable, Hashable {
        /// The whole resource: no `Range` header.
        case whole
        /// The bytes of the range.
        case range(ByteRange)
        /// All bytes from a position on: `bytes=a-`.
        case from(Int64)
    }

    /// The address.
    public var url: String
    /// Which bytes are asked for.
    public var target: Target
    /// The validator under which a range is still wanted; nil asks without condition.
    public var ifRange: String?
    /// The most bytes that may be taken off the socket, and handed over, at once.
    public var readSize: Int

    /// A request as given.
    public init(url: String, target: Target, ifRange: String? = nil, readSize: Int) {
        self.url = url
        self.target = target
        self.ifRange = ifRange
        self.readSize = readSize
    }

    /// The value of the `Range` header; nil when there is none.
    public var rangeHeader: String? {
        switch target {
        case .whole: nil
        case .range(let range): "bytes=\(range.offset)-\(range.end - 1)"
        case .from(let offset): "bytes=\(offset)-"
        }
    }
}

/// The status and the headers of the final response, after redirects.
public struct HTTPResponseHead: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// The headers, by lower-case name; of repeated ones the last.
    public var headers: [String: String]

    /// A head as given; names are made lower-case.
    public init(status: Int, headers: [String: String] = [:]) {
        self.status = status
        self.headers = [:]
        for (name, value) in headers { self.headers[name.lowercased()] = value }
    }

    /// The value of the header; names are compared without regard to case.
    public subscript(name: String) -> String? { headers[name.lowercased()] }
}

/// What becomes of a response: called on the thread that performs the request.
///
/// A good transport reads nothing from the socket while a call runs (back-pressure, B1). An error
/// thrown from a call ends the request, and comes out of `perform`.
public protocol HTTPResponseHandler: AnyObject {
    /// Counts bytes from the moment they leave the socket; nil leaves the count to `body`.
    ///
    /// For a transport without back-pressure, which asks for it after `head` and calls it, on any
    /// thread, before the bytes wait for `body`.
    var arrivalCounter: (@Sendable (Int) -> Void)? { get }
    /// Takes the final response's head, once, before any body.
    func head(_ head: HTTPResponseHead) throws
    /// Takes the next bytes of the body, which are valid during the call only.
    func body(_ bytes: UnsafeRawBufferPointer) throws
}

extension HTTPResponseHandler {
    /// Leaves the count to `body`.
    public var arrivalCounter: (@Sendable (Int) -> Void)? { nil }
}

/// HTTP as the cache needs it.
public protocol HTTPTransport: Sendable {
    /// Performs a request on the calling thread, from sending to the end of the body.
    ///
    /// - Parameters:
    ///   - request: what to ask for.
    ///   - handler: takes the response.
    ///   - cancellation: ends the request within about 100 ms, also on a silent origin (S3).
    /// - Throws: ``TransportError``, or what the handler threw.
    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation) throws
}

/// Why a request did not reach its end; each text says what is wrong and what to do.
public enum TransportError: Error, Hashable {
    /// The cancellation was asked for.
    case cancelled
    /// No connection could be made.
    case cannotConnect(url: String, reason: String)
    /// The origin took too long to connect or stopped sending.
    case timedOut(url: String)
    /// The body ended before its announced length.
    case truncated(url: String)
    /// More redirects than allowed.
    case tooManyRedirects(url: String)
    /// The address, or that of a redirect, is not http or https, or is malformed.
    case unsupportedAddress(url: String)
    /// Anything else that went wrong on the network.
    case failed(url: String, reason: String)
}

extension TransportError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .cancelled:
            "cancelled; fetch again to continue"
        case .cannotConnect(let url, let reason):
            "cannot connect to \(url): \(reason); check the address and that the origin runs"
        case .timedOut(let url):
            "\(url) did not answer in time; check the network and fetch again to continue"
        case .truncated(let url):
            "\(url) ended too early; fetch again to continue"
        case .tooManyRedirects(let url):
            "\(url) redirects too often; check the address"
        case .unsupportedAddress(let url):
            "\(url) is, or leads to, no http or https address; check the address"
        case .failed(let url, let reason):
            "\(url): \(reason); fetch again to continue"
        }
    }
}
