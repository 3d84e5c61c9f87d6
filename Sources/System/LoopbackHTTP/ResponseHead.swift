package struct ResponseHead: Sendable, Hashable {
    private let status: Int
    private let phrase: String
    private var fields: [String: String]

    private static let phrases = [
        200: "OK", 206: "Partial Content", 302: "Found", 304: "Not Modified",
        308: "Permanent Redirect", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 412: "Precondition Failed", 414: "URI Too Long",
        416: "Range Not Satisfiable", 429: "Too Many Requests",
        431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported",
    ]

    /// Creates a head; each character of a value is a byte; no length is a body in chunks.
    package init(
        _ status: Int, _ phrase: String? = nil, fields: [String: String] = [:], length: Int64?
    ) {
        (self.status, self.fields) = (status, fields)
        self.phrase = phrase ?? Self.phrases[status] ?? "Status \(status)"
        if length == nil {
            self.fields["Transfer-Encoding"] = "chunked"
        } else if fields["Content-Length"] == nil {
            self.fields["Content-Length"] = length.map { String($0) }
        }
    }

    /// The bytes to send, with the empty line at the end; they repeat what the request says of a
    /// connection that stays open, which HTTP/1.0 requires.
    package func bytes(answering request: RequestHead, by clock: WallClock) -> [UInt8] {
        var fields = fields
        fields["Date"] = fields["Date"] ?? clock.date
        if request.staysOpen {
            fields["Connection"] = fields["Connection"] ?? request["Connection"]
        } else if request.isLast {
            fields["Connection"] = "close"
        }
        let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "HTTP/1.1 \(status) \(phrase)\r\n\(lines.joined())\r\n".fieldBytes
    }
}
