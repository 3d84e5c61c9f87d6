extension RequestHead {
    /// Parses the lines of a head, without their ends; throws if they are no request, or one that
    /// two programs could understand in two ways.
    init(lines: [ArraySlice<UInt8>]) throws(MalformedRequest) {
        let (method, asked, version) = try Self.startLine(lines.first ?? [])
        var fields = RequestFields()
        for line in lines.dropFirst() { try fields.add(line) }
        let host = try fields.host(isRequired: version == "HTTP/1.1")
        let (target, authority) = try Self.parts(of: asked, method: method)
        var values = fields.values
        // The host of a whole address counts, and not that of the field.
        values["host"] = authority ?? host
        self.init(method, target, version, fields: values)
    }

    /// The method, the target and the version of a request's first line (RFC 9112, 3).
    private static func startLine(
        _ line: ArraySlice<UInt8>
    ) throws(MalformedRequest) -> (method: String, target: String, version: String) {
        let words = line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte) else {
            throw MalformedRequest(
                "the first line is no request; send a method, a target and the version,"
                    + " with one blank between them")
        }
        guard !words[1].isEmpty, words[1].allSatisfy({ $0 > 0x20 && $0 != 0x7F }),
            let target = String(validating: words[1], as: UTF8.self)
        else {
            throw MalformedRequest("the target has a byte that no address has; percent-encode it")
        }
        return (String(fieldBytes: words[0]), target, try Self.version(words[2]))
    }

    /// `HTTP/1.1`, also for a later minor version, or `HTTP/1.0`.
    private static func version(_ word: ArraySlice<UInt8>) throws(MalformedRequest) -> String {
        let digits = word.dropFirst(5)
        let isDigit = { (byte: UInt8?) in byte.map { (0x30...0x39).contains($0) } ?? false }
        guard word.starts(with: Array("HTTP/".utf8)), digits.count == 3, isDigit(digits.first),
            digits.dropFirst().first == UInt8(ascii: "."), isDigit(digits.last)
        else {
            throw MalformedRequest(
                "'\(String(fieldBytes: word.prefix(20)))' is no version of HTTP; send HTTP/1.1")
        }
        guard digits.first == UInt8(ascii: "1") else {
            throw MalformedRequest(
                "\(String(fieldBytes: word)) is not spoken here; use HTTP/1.1", status: 505)
        }
        return digits.last == UInt8(ascii: "0") ? "HTTP/1.0" : "HTTP/1.1"
    }

    /// What a target asks for, in one of its four forms (RFC 9112, 3.2): the path and the query, or
    /// `*` or an authority for a method that has those; and the host and port of a whole address.
    private static func parts(
        of target: String, method: String
    ) throws(MalformedRequest) -> (text: String, authority: String?) {
        guard !target.utf8.contains(UInt8(ascii: "#")) else {
            throw MalformedRequest("the target has a #; leave out what follows it, or encode it")
        }
        if target.utf8.first == UInt8(ascii: "/") || method == "OPTIONS" && target == "*"
            || method == "CONNECT" && target.utf8.allSatisfy(\.isHostByte)
        {
            return (target, nil)
        }
        guard let marks = target.firstRange(of: "://"),
            ["http", "https"].contains(target[..<marks.lowerBound].lowercased())
        else {
            throw MalformedRequest("the target is neither a path nor an http address; send one")
        }
        let rest = target[marks.upperBound...].utf8
        let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        guard !host.isEmpty, host.allSatisfy(\.isHostByte) else {
            throw MalformedRequest("the target's host is none; check the address")
        }
        let path = String(Substring(rest.dropFirst(host.count)))
        return (
            path.utf8.first == UInt8(ascii: "/") ? path : "/" + path, String(Substring(host))
        )
    }

    /// The length of the body (RFC 9112, 6.3); nil for one in chunks.
    ///
    /// Throws if the fields contradict each other: where another program saw another end, a part of
    /// the body would be a request of its own (11.2).
    func bodyLength() throws(MalformedRequest) -> Int? {
        switch (self["Transfer-Encoding"], self["Content-Length"]) {
        case (nil, nil): return 0
        case (nil, let length?):
            guard length.isDecimal, let count = Int(length) else {
                throw MalformedRequest(
                    "the Content-Length is no one number; send the body's length")
            }
            return count
        case (_?, _?):
            throw MalformedRequest(
                "there are a Content-Length and a Transfer-Encoding; send one of them")
        case (_?, nil):
            let codings = words(of: "Transfer-Encoding")
            guard version == "HTTP/1.1", codings.last == "chunked",
                codings.count(where: { $0 == "chunked" }) == 1
            else {
                throw MalformedRequest("the Transfer-Encoding does not say where the body ends")
            }
            guard codings.count == 1 else {
                throw MalformedRequest(
                    "only the transfer coding chunked is known here; send that", status: 501)
            }
            return nil
        }
    }
}
