/// The head of a request (RFC 9112, 2 to 6).
package struct RequestHead: Sendable, Hashable {
    /// The method, upper case.
    package let method: String
    /// What is asked for, as received.
    package let target: String
    /// The target up to its `?`, as received.
    package let path: String
    /// The target from behind its `?`, as received.
    package let query: String
    /// Such as `HTTP/1.1`.
    package let version: String
    /// The fields' values, by their names in lower case; the last of several fields counts.
    private let fields: [String: String]

    /// Parses the lines of a head, without their ends.
    ///
    /// A line that is no field is ignored.
    ///
    /// - Throws: ``NoRequest`` if the first line is not a request line.
    init(lines: [String]) throws(NoRequest) {
        let words = (lines.first ?? "")[...].trimmingBlanks().split(at: " ", times: 2)
        guard words.count == 3 else { throw NoRequest() }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line[...].split(at: ":", times: 1).map { $0.trimmingBlanks() }
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = String(parts[1])
        }
        self.init(words[0].uppercased(), String(words[1]), String(words[2]), fields: fields)
    }

    /// Creates a head with the given values.
    package init(
        _ method: String = "GET", _ target: String = "/", _ version: String = "HTTP/1.1",
        fields: [String: String] = [:]
    ) {
        self.method = method
        self.target = target
        let parts = target[...].split(at: "?", times: 1, omittingEmpty: false)
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : ""
        self.version = version
        self.fields = Dictionary(fields.map { ($0.lowercased(), $1) }) { $1 }
    }

    /// True if only the head of the response is asked for.
    package var isHead: Bool { method == "HEAD" }

    /// The value of a field; nil if the request has none of that name.
    package subscript(name: String) -> String? { fields[name.lowercased()] }

    /// True if the client wants the connection to stay open (RFC 9112, 9.3).
    package var staysOpen: Bool {
        let options = words(of: "Connection")
        return version == "HTTP/1.1"
            ? !options.contains("close") : options.contains("keep-alive")
    }

    /// How many bytes of a body follow the head; nil if they come in chunks (RFC 9112, 6).
    ///
    /// - Throws: ``NoRequest`` if the fields contradict each other, or cannot be understood.
    var bodyLength: Int? {
        get throws(NoRequest) {
            guard self["Transfer-Encoding"] == nil else {
                guard self["Content-Length"] == nil,
                    words(of: "Transfer-Encoding").last == "chunked"
                else { throw NoRequest() }
                return nil
            }
            guard let length = Int(self["Content-Length"] ?? "0"), length >= 0 else {
                throw NoRequest()
            }
            return length
        }
    }

    private func words(of name: String) -> [String] {
        (self[name] ?? "")[...].split(at: ",").map { $0.trimmingBlanks().lowercased() }
    }
}

// By bytes: the search for the bounds of characters took a tenth of a small answer's time.
extension Substring {
    /// The text without the blanks, tabs and carriage returns around it (RFC 9110, 5.6.3; RFC 9112,
    /// 2.2).
    package func trimmingBlanks() -> Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
        var bytes = utf8.drop(while: isBlank)
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }

    /// The parts of the text between ASCII characters.
    fileprivate func split(
        at separator: Unicode.Scalar, times: Int = .max, omittingEmpty: Bool = true
    ) -> [Substring] {
        utf8.split(
            separator: UInt8(ascii: separator), maxSplits: times,
            omittingEmptySubsequences: omittingEmpty
        ).map { Substring($0) }
    }
}

/// What a client sends is no request that can be answered, so its connection is closed.
///
/// It gets no answer: the origin's record of its answers explains every byte that it sends.
struct NoRequest: Error {}
