internal import CCurl
internal import VideoCache

/// Passes libcurl's callbacks to the response's handler, and keeps the handler's error.
final class CurlExchange {
    private let url: String
    private let handler: any HTTPResponseHandler
    private(set) var status = 0
    private var headers: [String: String] = [:]
    // The name of the last field, which the next line may go on with.
    private var lastName: String?
    // The next line begins a head.
    private var isBetweenHeads = true
    // Without it, trailers, which use the same callback after the body, would be taken for a head.
    private var hasHead = false
    private var isEncrypted: Bool

    private(set) var error: (any Error)?
    /// True if the response leads to another address, and its body is of no use.
    private(set) var isRedirect = false
    /// True if the origin refuses a request that has no `Referer`, and may not refuse another.
    private(set) var wantsReferer = false
    /// False until the request has a `Referer`.
    var hasReferer = true

    init(url: String, handler: any HTTPResponseHandler) {
        (self.url, self.handler) = (url, handler)
        isEncrypted = HTTPRequest.isEncrypted(url)
    }

    /// Expects the response of another address, to which the last one leads.
    func follow(_ address: String) {
        (isRedirect, wantsReferer, isBetweenHeads, status) = (false, false, true, 0)
        isEncrypted = HTTPRequest.isEncrypted(address)
    }

    /// True once a status line has come from the present address.
    var hasStatus: Bool { status > 0 }

    /// Throws if the response ended without a final head.
    func expectHead() throws(TransportError) { guard hasHead else { throw noHead } }

    private var noHead: TransportError {
        .failed(url: url, reason: "the answer, with status \(status), is of no use")
    }

    /// libcurl's write callback; returning less than the received count ends the request.
    static let takeBody: rig_curl_data_callback = { bytes, size, count, context in
        CurlExchange.take(bytes, size * count, context) { exchange, bytes in
            guard !exchange.isRedirect else { return }
            if exchange.wantsReferer { throw EnoughOfThis() }
            // Without a head, the position of the bytes in the video is unknown.
            try exchange.expectHead()
            try exchange.handler.body(bytes)
        }
    }

    /// libcurl's header callback, called once per line.
    static let takeHeader: rig_curl_data_callback = { bytes, size, count, context in
        CurlExchange.take(bytes, size * count, context) { exchange, bytes in
            try exchange.take(line: String(fieldBytes: bytes))
        }
    }

    private static func take(
        _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
        body: (CurlExchange, UnsafeRawBufferPointer) throws -> Void
    ) -> Int {
        guard let context, count > 0 else { return count }
        let exchange = Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
        do {
            try body(exchange, UnsafeRawBufferPointer(start: bytes, count: count))
            return count
        } catch {
            if !exchange.wantsReferer { exchange.error = error }
            return 0
        }
    }

    /// Processes a line of the head; an empty line ends it.
    private func take(line: String) throws {
        guard !hasHead, !isRedirect, !wantsReferer else { return }
        // A value that is folded (RFC 9112, 5.2).
        let goesOn = line.utf8.first == 0x20 || line.utf8.first == 0x09
        let line = line[...].trimmingBlanks()
        if isBetweenHeads, line.hasPrefix("HTTP/") {
            headers = [:]
            lastName = nil
            isBetweenHeads = false
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if goesOn, !line.isEmpty {
            guard let name = lastName, let value = headers[name] else { return }
            let more = line.withoutControls
            headers[name] = value.isEmpty ? more : "\(value) \(more)"
        } else if line.isEmpty {
            try endHead()
        } else if let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let name = line[..<colon].trimmingBlanks().lowercased()
            add(line[line.utf8.index(after: colon)...].trimmingBlanks().withoutControls, to: name)
            lastName = name
        }
    }

    private func endHead() throws {
        isBetweenHeads = true
        // A 1xx comes before the final head.
        guard status >= 200 else { return }
        let target = headers["location"] ?? ""
        if (300..<400).contains(status), !target.isEmpty {
            isRedirect = true
            return
        }
        if status == 403, !hasReferer {
            wantsReferer = true
            return
        }
        hasHead = true
        try handler.head(
            HTTPResponseHead(status: status, headers: headers, isEncrypted: isEncrypted))
    }

    /// Adds a field; different values are joined to a list (RFC 9110, 5.3).
    private func add(_ value: String, to name: String) {
        guard let held = headers[name], held != value else {
            headers[name] = value
            return
        }
        headers[name] = "\(held), \(value)"
    }
}

/// Ends a response of which nothing more is of use.
private struct EnoughOfThis: Error {}

extension Substring {
    /// The text with blanks for line ends and zeros: a player saw another field (RFC 9110, 5.5).
    fileprivate var withoutControls: String {
        let controls: Set<Unicode.Scalar> = ["\r", "\n", "\0"]
        return String(
            String.UnicodeScalarView(unicodeScalars.map { controls.contains($0) ? " " : $0 }))
    }
}
