/// The head of a request (RFC 9112, 2 to 6).
package struct RequestHead: Sendable, Hashable {
    /// The method, as received: upper and lower case differ (RFC 9110, 9.1).
    package let method: String
    /// What is asked for, without the host that a whole address names (RFC 9112, 3.2.2).
    package let target: String
    /// The target up to its `?`, as received.
    package let path: String
    /// The target from behind its `?`, as received.
    package let query: String
    /// `HTTP/1.1` or `HTTP/1.0`.
    package let version: String
    /// Values by names in lower case; several of one name are a list (RFC 9110, 5.3).
    private let fields: [String: String]
    /// True if its body is not read: its connection ends after the answer, which says so.
    var isLast = false

    package init(
        _ method: String = "GET", _ target: String = "/", _ version: String = "HTTP/1.1",
        fields: [String: String] = [:]
    ) {
        (self.method, self.target) = (method, target)
        let parts = target[...].split(at: "?", times: 1, omittingEmpty: false)
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : ""
        self.version = version
        self.fields = Dictionary(fields.map { ($0.lowercased(), $1) }) { $1 }
    }

    package var isHead: Bool { method == "HEAD" }

    /// The names of the fields, in lower case.
    package var names: Set<String> { Set(fields.keys) }

    /// The value of a field, each of its bytes one character.
    package subscript(name: String) -> String? { fields[name.lowercased()] }

    /// True if the client wants the connection to stay open (RFC 9112, 9.3).
    package var staysOpen: Bool {
        if isLast { return false }
        let options = words(of: "Connection")
        return version == "HTTP/1.1" ? !options.contains("close") : options.contains("keep-alive")
    }

    /// The elements of a list, in lower case.
    func words(of name: String) -> [String] {
        (self[name] ?? "")[...].split(at: ",").map { $0.trimmingBlanks().lowercased() }
    }
}

// By bytes: the search for the bounds of characters took a tenth of a small answer's time.
extension Substring {
    /// The text without blanks, tabs and returns around it (RFC 9110, 5.6.3; RFC 9112, 2.2).
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
