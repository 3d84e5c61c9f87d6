package struct ResponseHead: Sendable, Hashable {
    private let status: Int
    private let phrase: String
    private var fields: [String: String]

    /// Creates a head; each character of a value is one of its bytes, and the length is nil for a
    /// body in chunks.
    package init(_ status: Int, _ phrase: String, fields: [String: String] = [:], length: Int64?) {
        (self.status, self.phrase, self.fields) = (status, phrase, fields)
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
        }
        let lines = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }
        return "HTTP/1.1 \(status) \(phrase)\r\n\(lines.joined())\r\n".fieldBytes
    }
}
