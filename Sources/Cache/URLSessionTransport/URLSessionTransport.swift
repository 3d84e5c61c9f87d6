internal import Foundation
internal import Synchronization
package import VideoCache

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// HTTP with URLSession, which keeps reading while the handler works: there is no back-pressure.
///
/// It exists to show what that costs. Bytes are queued in memory between the socket and the
/// handler, as with a delegate that saves on its own queue, and a kill loses them. B1 is exceeded
/// by the bytes that arrive during a save, and B10 by the bytes that accumulate while a disk is
/// slow. All received bytes are passed on at once, so `readSize` is exceeded too. S2 and S3 hold.
package final class URLSessionTransport: HTTPTransport {
    /// Time limits and other settings of the transport.
    package struct Options: Sendable, Hashable {
        /// The longest time without a byte, and to connect.
        package var progressTimeout: Duration
        /// The most redirects followed in a row.
        package var maximumRedirects: Int
        /// The value of the `User-Agent` header.
        package var userAgent: String

        /// Creates options; by default 30 s without a byte.
        package init(
            progressTimeout: Duration = .seconds(30), maximumRedirects: Int = 10,
            userAgent: String = "downloader"
        ) {
            self.progressTimeout = progressTimeout
            self.maximumRedirects = maximumRedirects
            self.userAgent = userAgent
        }
    }

    private let options: Options
    private let session: URLSession
    private let delegate = SessionDelegate()

    /// Creates a transport without connections.
    package init(options: Options = Options()) {
        self.options = options
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        // The exchange measures time itself; URLSession's own limits would depend on its callbacks.
        configuration.timeoutIntervalForRequest = 24 * 3600
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Performs a request on the calling thread, from sending to the end of the body.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - handler: receives the response.
    ///   - cancellation: ends the request within about 100 ms, even if the origin is silent (S3).
    /// - Throws: ``TransportError``, or what the handler threw.
    package func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        if cancellation.isCancelled { throw TransportError.cancelled }
        let task = session.dataTask(with: try urlRequest(request))
        let exchange = Exchange(url: request.url, redirectsLeft: options.maximumRedirects)
        delegate.add(exchange, for: task)
        defer {
            exchange.end(.cancelled)
            task.cancel()
            delegate.remove(task)
        }
        task.resume()
        try cancellation.waking({ exchange.end(.cancelled) }) {
            try Delivery(exchange: exchange, handler: handler, url: request.url)
                .run(patience: options.progressTimeout)
        }
    }

    private func urlRequest(_ request: HTTPRequest) throws(TransportError) -> URLRequest {
        guard let url = URL(string: request.url), WebAddress.isWeb(url) else {
            throw .unsupportedAddress(url: request.url)
        }
        var asked = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        asked.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        asked.setValue(options.userAgent, forHTTPHeaderField: "User-Agent")
        asked.setValue(request.rangeHeader, forHTTPHeaderField: "Range")
        asked.setValue(request.ifRange, forHTTPHeaderField: "If-Range")
        return asked
    }
}

/// Checks the addresses of requests and redirects.
enum WebAddress {
    static func isWeb(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased() ?? "")
    }
}
