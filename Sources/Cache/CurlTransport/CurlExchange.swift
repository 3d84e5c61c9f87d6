internal import CCurl
internal import VideoCache

/// Passes libcurl's callbacks to the response's handler, and keeps the handler's error.
final class CurlExchange {
    private let url: String
    private let handler: any HTTPResponseHandler
    private var status = 0
    private var headers: [String: String] = [:]
    // Without it, trailers, which use the same callback after the body, would be taken for a head.
    private var hasHead = false
    // Of the current address, after redirects.
    private var isEncrypted: Bool

    /// The error that the handler threw; nil if none.
    private(set) var error: (any Error)?

    /// Creates an exchange for a response that has not arrived yet.
    init(url: String, handler: any HTTPResponseHandler) {
        self.url = url
        self.handler = handler
        isEncrypted = HTTPRequest.isEncrypted(url)
    }

    /// Throws if the response ended without a final head.
    func expectHead() throws(TransportError) {
        guard hasHead else { throw noHead }
    }

    private var noHead: TransportError {
        .failed(url: url, reason: "the answer, with status \(status), is of no use")
    }

    /// libcurl's write callback; returning less than the received count ends the request.
    static let takeBody: rig_curl_data_callback = { bytes, size, count, context in
        CurlExchange.take(bytes, size * count, context) { exchange, bytes in
            // Without a head, the position of the bytes in the video is unknown.
            try exchange.expectHead()
            try exchange.handler.body(bytes)
        }
    }

    /// libcurl's header callback, called once per line.
    static let takeHeader: rig_curl_data_callback = { bytes, size, count, context in
        CurlExchange.take(bytes, size * count, context) { exchange, bytes in
            try exchange.take(line: String(decoding: bytes, as: UTF8.self))
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
            exchange.error = error
            return 0
        }
    }

    /// Processes a line of the head; an empty line ends it.
    private func take(line: String) throws {
        guard !hasHead else { return }
        let line = line.trimmingLineEnd()
        if line.hasPrefix("HTTP/") {
            headers = [:]
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = line.firstIndex(of: ":") {
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            add(String(value), to: line[..<colon].lowercased())
        } else if line.isEmpty, isFinal {
            hasHead = true
            try handler.head(
                HTTPResponseHead(status: status, headers: headers, isEncrypted: isEncrypted))
        } else if line.isEmpty, let target = headers["location"], target.contains("://") {
            // A relative address keeps the scheme.
            isEncrypted = HTTPRequest.isEncrypted(target)
        }
    }

    /// Adds a field; different values are joined to a list (RFC 9110, 5.3).
    private func add(_ value: String, to name: String) {
        guard let held = headers[name], held != value else {
            headers[name] = value
            return
        }
        headers[name] = "\(held), \(value)"
    }

    // libcurl follows redirects itself, and skips their bodies. It treats a redirect without a
    // target as an ordinary response.
    private var isFinal: Bool {
        let leads = headers["location"].map { !$0.isEmpty } ?? false
        return status >= 200 && !((300..<400).contains(status) && leads)
    }
}

extension String {
    /// The text without trailing white space and line break.
    fileprivate func trimmingLineEnd() -> Substring {
        var text = self[...]
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}
