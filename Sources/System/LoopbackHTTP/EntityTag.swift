/// Entity tags and how to compare them (RFC 9110, 8.8.3).
package enum EntityTag {
    /// True for a quoted tag without `W/`.
    package static func isStrong(_ tag: some StringProtocol) -> Bool {
        tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
    }

    /// True when a list such as `"a", W/"b"` has the tag, or is `*`; weak tags match weakly.
    package static func list(_ list: String, holds tag: String?, strongly: Bool) -> Bool {
        tags(in: list).contains { candidate in
            guard candidate != "*", let tag else { return candidate == "*" }
            return strongly
                ? isStrong(candidate) && candidate == tag : opaque(candidate) == opaque(tag)
        }
    }

    /// The list's elements; a comma inside quotes does not separate.
    private static func tags(in list: String) -> [Substring] {
        var isQuoted = false
        return list.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        .map { $0.trimmingBlanks() }
    }

    private static func opaque(_ tag: some StringProtocol) -> String {
        String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...])
    }
}
