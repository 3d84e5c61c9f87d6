internal import Foundation
internal import Synchronization
package import VideoCache

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// HTTP by URLSession, which reads on while the handler works: there is no back-pressure.
///
/// It exists to show what that costs. Bytes wait in memory between the socket and the handler, as
/// they do in front of a delegate that saves on its own queue, and a kill takes them: B1 is broken
/// by as much as came in while a save ran, and B10 by what a slow disk lets gather. All that has
/// come is handed over at once, so `readSize` does not hold either. S2 and S3 do.
package final class URLSessionTransport: HTTPTransport {
    /// How long the transport waits, and for what.
    package struct Options: Sendable, Hashable {
        /// The longest time without a byte, and to connect.
        package var progressTimeout: Duration
        /// The most redirects followed in a row.
        package var maximumRedirects: Int
        /// What the `User-Agent` header says.
        package var userAgent: String

        /// Options as given; 30 s without a byte unless told otherwise.
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

    /// A transport with no connections yet.
    package init(options: Options = Options()) {
        self.options = options
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        // The exchange keeps the time itself: URLSession's own limits are its callbacks' business.
        configuration.timeoutIntervalForRequest = 24 * 3600
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Performs a request on the calling thread, from sending to the end of the body.
    ///
    /// - Parameters:
    ///   - request: what to ask for.
    ///   - handler: takes the response.
    ///   - cancellation: ends the request within about 100 ms, also on a silent origin (S3).
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

/// Which addresses a request, or a redirect, may go to.
enum WebAddress {
    static func isWeb(_ url: URL) -> Bool {
        ["http", "https"].contains(url.scheme?.lowercased() ?? "")
    }
}
