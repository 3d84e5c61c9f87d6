internal import CCurl
import Synchronization
public import VideoCache

/// HTTP with libcurl: bytes are passed on as they leave the socket, and nothing is read while the
/// handler works (back-pressure, B1).
///
/// Requests may be performed on several threads at once; connections are reused.
public final class CurlTransport: HTTPTransport {
    /// Time limits and other settings of the transport.
    public struct Options: Sendable, Hashable {
        /// The longest time to connect.
        public var connectTimeout: Duration
        /// The longest time without a byte.
        public var progressTimeout: Duration
        /// The most redirects followed in a row.
        public var maximumRedirects: Int
        /// The value of the `User-Agent` header.
        public var userAgent: String
        /// The file of the certificate authorities that origins are trusted by (PEM); nil for the
        /// system's.
        public var authorities: String?
        /// The proxy by which origins are reached by CONNECT; nil for those of the environment.
        package var tunnel: String?
        /// Fields of every request; they count before those of the request itself.
        public var fields: HTTPFields
        /// An address whose host alone is sent these fields; nil for every host.
        package var home: String?
        /// True if these fields and those of the request are also sent to another host to which a
        /// redirect leads.
        public var sendsFieldsToOtherHosts: Bool

        /// Creates options; by default 10 s to connect, 30 s without a byte, and the system's
        /// certificate authorities.
        public init(
            connectTimeout: Duration = .seconds(10), progressTimeout: Duration = .seconds(30),
            maximumRedirects: Int = 10, userAgent: String = "downloader",
            authorities: String? = nil, fields: HTTPFields = HTTPFields(),
            sendsFieldsToOtherHosts: Bool = false
        ) {
            (self.connectTimeout, self.progressTimeout) = (connectTimeout, progressTimeout)
            (self.maximumRedirects, self.userAgent) = (maximumRedirects, userAgent)
            (self.authorities, self.fields) = (authorities, fields)
            self.sendsFieldsToOtherHosts = sendsFieldsToOtherHosts
        }
    }

    // The longest wait in one poll; a cancellation interrupts it.
    private static let pollMilliseconds: Int32 = 50

    private let options: Options
    private let idleSessions = Mutex<[CurlSession]>([])
    // Hosts that have refused a request without a Referer; by the address of their first page.
    private let wantReferer = Mutex<Set<String>>([])

    /// Creates a transport without connections.
    public init(options: Options = Options()) { self.options = options }
    deinit { idleSessions.withLock { sessions in for session in sessions { session.close() } } }

    /// Performs a request as every `HTTPTransport` does, and follows redirects.
    ///
    /// An origin that answers 403 to a request without a `Referer` is asked once more with the address
    /// of its own first page, which many want to see.
    public func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        if cancellation.isCancelled { throw TransportError.cancelled }
        let session = try idleSessions.withLock { $0.popLast() } ?? CurlSession()
        defer { idleSessions.withLock { $0.append(session) } }
        let exchange = CurlExchange(url: request.url, handler: handler)
        let easy = try CurlEasyHandle(request: request, options: options, exchange: exchange)
        var address = request.url
        var redirects = 0
        defer {
            // It was not for want of a Referer.
            if exchange.status == 403, let referer = HTTPHost.root(of: address) {
                wantReferer.withLock { _ = $0.remove(referer) }
            }
        }
        while true {
            let referer = HTTPHost.root(of: address)
            if let referer, !easy.sendsReferer, wantReferer.withLock({ $0.contains(referer) }) {
                easy.add(referer: referer)
            }
            exchange.hasReferer = easy.sendsReferer || referer == nil
            let code = try run(easy, of: exchange, in: session, until: cancellation)
            if exchange.wantsReferer, let referer {
                wantReferer.withLock { _ = $0.insert(referer) }
                exchange.follow(address)
                continue
            }
            guard code == CURLE_OK else {
                throw Self.error(
                    code, of: easy, url: request.url, at: address, hasStatus: exchange.hasStatus)
            }
            guard exchange.isRedirect else { return try exchange.expectHead() }
            guard let next = easy.redirect else {
                throw TransportError.unsupportedAddress(url: request.url)
            }
            guard redirects < options.maximumRedirects else {
                throw options.maximumRedirects == 0
                    ? TransportError.redirectRefused(url: request.url)
                    : .tooManyRedirects(url: request.url)
            }
            redirects += 1
            easy.follow(next, isOtherHost: !HTTPHost.isSame(address, next))
            exchange.follow(next)
            address = next
        }
    }

    private func run(
        _ easy: CurlEasyHandle, of exchange: CurlExchange, in session: CurlSession,
        until cancellation: Cancellation
    ) throws -> CURLcode {
        // The transport owns the sessions, so it must outlive a cancellation at the very end.
        let code = try cancellation.waking({ [self] in
            withExtendedLifetime(self) { session.wakeUp() }
        }) {
            try withExtendedLifetime(exchange) {
                try session.run(easy) { cancellation.isCancelled ? nil : Self.pollMilliseconds }
            }
        }
        if let error = exchange.error { throw error }
        guard let code else { throw TransportError.cancelled }
        return code
    }

    /// The error of a request to an address, to which the first one, `url`, may have led.
    private static func error(
        _ code: CURLcode, of easy: CurlEasyHandle, url: String, at address: String, hasStatus: Bool
    ) -> TransportError {
        if let status = easy.tunnelRefusal { return .tunnelRefused(url: url, status: status) }
        let detail = easy.errorText
        let reason = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        return switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .cannotConnect(url: url, reason: reason)
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT:
            .cannotConnect(url: url, reason: reason + EnvironmentProxy.hint(for: address))
        case CURLE_SSL_CONNECT_ERROR:
            .cannotConnect(url: url, reason: "\(reason), as where this port does not speak https")
        case CURLE_PEER_FAILED_VERIFICATION: .notTrusted(url: url, reason: reason)
        case CURLE_SSL_CACERT_BADFILE: .authoritiesUnreadable(reason: reason)
        case CURLE_OPERATION_TIMEDOUT: .timedOut(url: url)
        case CURLE_PARTIAL_FILE: .truncated(url: url)
        case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects(url: url)
        case CURLE_WEIRD_SERVER_REPLY where !hasStatus: .notHTTP(url: url)
        // libcurl's word for bytes without a status line, as of HTTP/0.9, is the same as for an
        // address of another scheme, which comes from a redirect.
        case CURLE_UNSUPPORTED_PROTOCOL where !hasStatus && HTTPRequest.isWeb(address):
            .notHTTP(url: url)
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: .unsupportedAddress(url: url)
        default: .failed(url: url, reason: reason)
        }
    }
}
