internal import Foundation
internal import VideoCache

/// The URL of a video at its origin, as given by a player: http or https, without user names.
struct OriginAddress: Sendable, Hashable {
    /// The URL without a fragment, which only the player uses.
    let url: String
    /// The host's name in lower case, without the port.
    let host: String
    /// The threshold that the player wants for this video; nil for the proxy's own (S5).
    let policy: SavePolicy?

    /// Parses `url=` and the percent-encoded URL, which may follow `threshold=`; anything else is
    /// refused: an unencoded `&` would truncate the URL, and play a different video.
    init(query: String) throws(Refusal) {
        let mark = "threshold="
        var rest = query[...]
        var policy: SavePolicy?
        if rest.hasPrefix(mark) {
            let value = rest.dropFirst(mark.count).prefix { $0 != "&" }
            policy = try Self.policy(value)
            rest = rest[value.endIndex...].dropFirst()
        }
        guard rest.hasPrefix("url="), !rest.utf8.contains(UInt8(ascii: "&")),
            let text = String(rest.utf8.dropFirst(4))?.removingPercentEncoding
        else {
            throw Refusal(
                400,
                "the query must be url= and the video's address, nothing else;"
                    + " percent-encode the address, also its & and #")
        }
        try self.init(text, policy: policy)
    }

    /// The most that a player may ask for: each download allocates as much.
    private static let mostThreshold = 16 << 20

    private static func policy(_ text: Substring) throws(Refusal) -> SavePolicy {
        if let preset = SavePolicy.preset(String(text)) { return preset }
        if let bytes = size(String(text)), bytes <= mostThreshold,
            let policy = try? SavePolicy(threshold: bytes)
        {
            return policy
        }
        throw Refusal(
            400,
            "the threshold must be 256KB to 16MB, conservative, default, aggressive or"
                + " disabled")
    }

    /// Checks a URL, more strictly than RFC 3986: its host must be the one that is connected to.
    init(_ text: String, policy: SavePolicy? = nil) throws(Refusal) {
        let whole = Substring(text.utf8.prefix { $0 != UInt8(ascii: "#") })
        let scheme = Substring(whole.utf8.prefix { $0 != UInt8(ascii: ":") })
        let rest = whole[scheme.endIndex...]
        guard rest.hasPrefix("://"), ["http", "https"].contains(scheme.lowercased()) else {
            throw Self.refusal(text, "is no http or https address; only those are played")
        }
        guard whole.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else {
            throw Self.refusal(
                text, "has a blank, a backslash or a control character; percent-encode it")
        }
        let authority = Substring(
            rest.utf8.dropFirst(3).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") })
        guard !authority.utf8.contains(UInt8(ascii: "@")) else {
            throw Self.refusal(text, "names a user; leave out everything up to the @")
        }
        guard let host = Self.host(in: authority) else {
            throw Self.refusal(text, "has no proper host and port; check the address")
        }
        self.policy = policy
        self.url = String(whole)
        self.host = host.lowercased()
    }

    /// The host of `host`, `host:port` or `[address]:port`; nil if there is none.
    private static func host(in authority: Substring) -> Substring? {
        let host: Substring
        let rest: Substring
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[authority.index(after: authority.startIndex)..<end]
            rest = authority[authority.index(after: end)...]
            guard host.utf8.allSatisfy({ isHexadecimal($0) || $0 == 0x3A || $0 == 0x2E }) else {
                return nil
            }
        } else {
            host = Substring(authority.utf8.prefix { $0 != UInt8(ascii: ":") })
            rest = authority[host.endIndex...]
            guard host.utf8.allSatisfy(isNamePart) else { return nil }
        }
        guard !host.isEmpty, rest.isEmpty || isPort(rest) else { return nil }
        return host
    }

    private static func isPort(_ text: Substring) -> Bool {
        let digits = text.dropFirst()
        return text.hasPrefix(":") && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && UInt16(digits).map { $0 > 0 } ?? false
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x46).contains(byte & 0xDF)
    }

    /// Letters, digits, `-`, `.` and `_`; names of other scripts come as Punycode (RFC 3492).
    private static func isNamePart(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            || [0x2D, 0x2E, 0x5F].contains(byte)
    }

    private static func refusal(_ text: String, _ reason: String) -> Refusal {
        Refusal(400, "'\(text)' \(reason)")
    }
}

/// The URL at which a player opens a video through the proxy: its address and `/play?url=…`.
package enum PlayAddress {
    /// The path of requests to play, after the proxy's address.
    static let path = "/play"

    package static func pathAndQuery(of url: String) -> String {
        let safe = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return path + "?url=" + (url.addingPercentEncoding(withAllowedCharacters: safe) ?? "")
    }
}
