/// The host of an address, to which what is meant for it may be sent.
enum HTTPHost {
    /// True if what is meant for the host of one address may be sent to another address: it has the
    /// same scheme, host and port, or is the same host's encrypted one.
    static func isSame(_ one: String, _ other: String) -> Bool {
        guard let one = parts(one), let other = parts(other), one.host == other.host else {
            return false
        }
        return (one.scheme, one.port) == (other.scheme, other.port)
            || (one.scheme, one.port, other.scheme, other.port) == ("http", 80, "https", 443)
    }

    /// The address of a host's own first page, such as `https://host:8080/`; nil if there is none.
    static func root(of address: String) -> String? {
        guard let (scheme, place) = split(address) else { return nil }
        return "\(scheme)://\(place)/"
    }

    /// An address's scheme, host and port; nil if it has no plain ones.
    private static func parts(_ address: String) -> (scheme: String, host: String, port: Int)? {
        guard let (scheme, place) = split(address) else { return nil }
        let host = place.hasPrefix("[") ? place.prefix { $0 != "]" } : place.prefix { $0 != ":" }
        let port = place.dropFirst(host.count).drop { $0 == "]" }
        guard !host.isEmpty else { return nil }
        guard port.isEmpty || port == ":" else {
            guard port.hasPrefix(":"), let number = Int(port.dropFirst()) else { return nil }
            return (scheme, host.lowercased(), number)
        }
        return (scheme, host.lowercased(), scheme == "http" ? 80 : 443)
    }

    /// An address's scheme, and its host with the port, without a user's name.
    private static func split(_ address: String) -> (scheme: String, place: Substring)? {
        guard let marks = address.firstRange(of: "://") else { return nil }
        let scheme = address[..<marks.lowerBound].lowercased()
        let rest = address[marks.upperBound...].utf8
        let authority = Substring(rest.prefix { !Array("/?#\\".utf8).contains($0) })
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return place.isEmpty || !["http", "https"].contains(scheme) ? nil : (scheme, place)
    }
}
