/// One HTTP GET request of the cache.
public struct HTTPRequest: Sendable, Hashable {
    /// The bytes to request.
    public enum Target: Sendable, Hashable {
        /// The whole resource: no `Range` header.
        case whole
        /// The bytes of the range.
        case range(ByteRange)
        /// All bytes from a position on: `bytes=a-`.
        case from(Int64)
    }

    /// The URL.
    public var url: String
    /// The bytes to request.
    public var target: Target
    /// The validator for `If-Range`, as ``HTTPResponseHead`` has it; nil sends no condition.
    public var ifRange: String?
    /// The tag for `If-None-Match`; nil sends none.
    public var ifNoneMatch: String?
    /// The date for `If-Modified-Since`; nil sends none.
    public var ifModifiedSince: String?
    /// The most bytes that may be read from the socket, and passed on, at once.
    public var readSize: Int
    /// More header fields, such as those that a player sends.
    public var fields: HTTPFields

    /// Creates a request with the given values.
    public init(
        url: String, target: Target, ifRange: String? = nil, ifNoneMatch: String? = nil,
        ifModifiedSince: String? = nil, readSize: Int, fields: HTTPFields = HTTPFields()
    ) {
        (self.fields, self.url, self.ifNoneMatch) = (fields, url, ifNoneMatch)
        (self.ifModifiedSince, self.target, self.ifRange) = (ifModifiedSince, target, ifRange)
        self.readSize = readSize
    }

    package static func isEncrypted(_ url: String) -> Bool { url.lowercased().hasPrefix("https:") }

    package static func isWeb(_ url: String) -> Bool {
        ["http://", "https://"].contains { url.lowercased().hasPrefix($0) }
    }

    /// The value of the `Range` header; nil if there is none.
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
    /// The headers, by lower-case name; different values of one name are a list.
    ///
    /// The values are bytes, which need not be UTF-8 (RFC 9110, 5.5): each is one character, so that
    /// two values are equal if their bytes are.
    public var headers: [String: String]
    /// True if the response came over TLS, after redirects; nil if that is as the URL says.
    public var isEncrypted: Bool?

    /// Creates a head with the given values; names are converted to lower case.
    public init(status: Int, headers: [String: String] = [:], isEncrypted: Bool? = nil) {
        (self.status, self.isEncrypted) = (status, isEncrypted)
        self.headers = [:]
        for (name, value) in headers { self.headers[name.lowercased()] = value }
    }

    /// The value of the header; names are case-insensitive.
    public subscript(name: String) -> String? { headers[name.lowercased()] }
}

/// Handles a response; called on the thread that performs the request.
///
/// A transport reads nothing from the socket during a call (back-pressure): bytes that it queues
/// meanwhile are lost by a kill beyond the bound (B1). An error thrown from a call ends the request, and is thrown by `perform`.
public protocol HTTPResponseHandler: AnyObject {
    /// Receives the final response's head, once, before any body.
    func head(_ head: HTTPResponseHead) throws
    /// Receives the next bytes of the body, which are valid during the call only.
    func body(_ bytes: UnsafeRawBufferPointer) throws
}

/// HTTP as the cache needs it.
public protocol HTTPTransport: Sendable {
    /// Performs a request on the calling thread, from sending to the end of the body.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - handler: receives the response.
    ///   - cancellation: ends the request within about 100 ms, even if the origin is silent (S3).
    /// - Throws: ``TransportError``, or what the handler threw.
    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation) throws
}

/// Why a request failed; each text says what is wrong and what to do.
public enum TransportError: Error, Hashable {
    /// The request was cancelled.
    case cancelled
    /// No connection could be made.
    case cannotConnect(url: String, reason: String)
    /// The origin's certificate is not valid: it has expired, is another host's, or is signed by an
    /// authority that is not trusted.
    case notTrusted(url: String, reason: String)
    /// The file of certificate authorities holds none.
    case authoritiesUnreadable(reason: String)
    /// A proxy between here and the origin refuses to connect to it, with a status.
    case tunnelRefused(url: String, status: Int)
    /// The origin took too long to connect or stopped sending.
    case timedOut(url: String)
    /// The body ended before its announced length.
    case truncated(url: String)
    /// More redirects than allowed.
    case tooManyRedirects(url: String)
    /// A redirect, where none is allowed.
    case redirectRefused(url: String)
    /// The URL, or that of a redirect, is not http or https, or is malformed.
    case unsupportedAddress(url: String)
    /// What answered does not speak HTTP.
    case notHTTP(url: String)
    /// The library that speaks HTTP is missing, or cannot start; the reason says what to do.
    case noLibrary(reason: String)
    /// Any other network failure.
    case failed(url: String, reason: String)
}

extension TransportError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .cancelled: "cancelled; fetch again to continue"
        case .cannotConnect(let url, let reason):
            "cannot connect to \(url): \(reason); check the address and that the origin runs"
        case .notTrusted(let url, let reason):
            "\(url) cannot prove that it is that host: \(reason); check the address, or name the "
                + "certificate authority to trust (--ca-file)"
        case .authoritiesUnreadable(let reason):
            "cannot read the certificate authorities: \(reason); name a file of certificates (PEM)"
        case .tunnelRefused(let url, let status):
            "the proxy of the environment (https_proxy) answered \(status) to the connection to "
                + "\(url); \(Self.remedy(forTunnel: status))"
        case .timedOut(let url):
            "\(url) did not answer in time; check the network and fetch again to continue"
        case .truncated(let url): "\(url) ended too early; fetch again to continue"
        case .tooManyRedirects(let url): "\(url) redirects too often; check the address"
        case .redirectRefused(let url):
            "\(url) leads to another address, and redirects are not followed with --allow-host; play "
                + "the address that it leads to"
        case .unsupportedAddress(let url):
            "\(url) is, or leads to, no http or https address; check the address, and write a blank "
                + "in it as %20"
        case .notHTTP(let url):
            "what answers at \(url), or where that leads, does not speak HTTP; check the port, and "
                + "whether the address begins with https"
        case .noLibrary(let reason): reason
        case .failed(let url, let reason): "\(url): \(reason); fetch again to continue"
        }
    }

    private static func remedy(forTunnel status: Int) -> String {
        switch status {
        case 407: "give its user name and password there, as http://NAME:PASSWORD@HOST:PORT"
        case 500...: "check that the proxy can reach the origin, and fetch again to continue"
        default: "have the proxy allow it, or name the origin's host in no_proxy"
        }
    }
}
