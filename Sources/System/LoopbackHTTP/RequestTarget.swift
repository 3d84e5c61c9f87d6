/// What a request asks for, in one of its four forms (RFC 9112, 3.2).
struct RequestTarget {
    /// The path and the query; `*`, or the authority, where the method has those.
    let text: String
    /// The host and the port that a whole address names; nil for the other forms.
    let authority: String?

    init(_ target: String, method: String) throws(MalformedRequest) {
        guard !target.utf8.contains(UInt8(ascii: "#")) else {
            throw MalformedRequest("the target has a #; leave out what follows it, or encode it")
        }
        if target.utf8.first == UInt8(ascii: "/") || Self.isSpecial(target, method) {
            (text, authority) = (target, nil)
            return
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
        text = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        authority = String(Substring(host))
    }

    /// True for the targets of OPTIONS and CONNECT that are no paths.
    private static func isSpecial(_ target: String, _ method: String) -> Bool {
        switch method {
        case "OPTIONS": target == "*"
        case "CONNECT": target.utf8.allSatisfy(\.isHostByte)
        default: false
        }
    }
}
