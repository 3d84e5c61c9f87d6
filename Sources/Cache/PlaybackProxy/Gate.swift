internal import LoopbackHTTP
internal import VideoCache

enum Route: Sendable, Hashable {
    case status
    case play(OriginAddress)
}

/// Decides which requests are answered: any page in a browser of this machine can send requests,
/// and would make the proxy fetch addresses of this network.
struct Gate: Sendable {
    /// The first part of every path.
    let key: ProxyKey
    /// The hosts that videos may come from, in lower case; nil allows all.
    let allowedHosts: Set<String>?

    func route(of request: RequestHead) throws(Refusal) -> Route {
        try Self.checkHost(request["Host"])
        try Self.checkSite(of: request)
        let prefix = "/\(key.text)/"
        guard (request.path + "/").hasPrefix(prefix) else {
            throw Refusal(403, "the key is missing; use the whole address that the proxy printed")
        }
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Refusal(
                405, "\(request.method) is not for players; use GET or HEAD",
                headers: ["Allow": "GET, HEAD"])
        }
        switch "/" + request.path.dropFirst(prefix.count) {
        case "/status.json": return .status
        case PlayAddress.path: return .play(try address(in: request.query))
        default: throw Refusal(404, "there is nothing here; open play?url=… or status.json")
        }
    }

    private func address(in query: String) throws(Refusal) -> OriginAddress {
        let address = try OriginAddress(query: query)
        if let allowedHosts, !allowedHosts.contains(address.host) {
            throw Refusal(
                403,
                "videos of \(address.host) are not allowed here;"
                    + " start the proxy with --allow-host \(address.host)")
        }
        return address
    }

    /// Refuses a `Host` that is not a name of this machine, by which alone a page shows that its
    /// own name points at 127.0.0.1 (DNS rebinding).
    private static func checkHost(_ host: String?) throws(Refusal) {
        guard let host else { throw Refusal(400, "the Host header is missing; send one") }
        guard isOwn(host) else {
            throw Refusal(403, "'\(host)' is not this proxy; ask for 127.0.0.1 or localhost")
        }
    }

    /// Refuses what a browser sends for a page of another site (Fetch Metadata; RFC 6454, 7).
    ///
    /// A page of this machine may play through the proxy: its `Origin` or `Referer` says so where
    /// `localhost` and 127.0.0.1 count as two sites. So may a window of its own, to which a page
    /// only links. Players and programs send none of these fields.
    private static func checkSite(of request: RequestHead) throws(Refusal) {
        let origin = request["Origin"]
        let isLinked =
            request["Sec-Fetch-Mode"] == "navigate" && request["Sec-Fetch-Dest"] == "document"
        let isForeign =
            origin.map { !isOwnPage($0) }
            ?? (request["Sec-Fetch-Site"] == "cross-site" && !isLinked
                && !isOwnPage(request["Referer"] ?? ""))
        guard !isForeign else {
            throw Refusal(
                403,
                "a page of another site has sent this; open the address in a player, or in"
                    + " a window of its own")
        }
    }

    /// True for an address on this machine, such as `http://localhost:3000/page`.
    private static func isOwnPage(_ address: String) -> Bool {
        guard let scheme = ["http://", "https://"].first(where: address.hasPrefix) else {
            return false
        }
        return isOwn(String(address.dropFirst(scheme.count).prefix { $0 != "/" }))
    }

    private static func isOwn(_ authority: String) -> Bool {
        let name = authority.utf8.prefix { $0 != UInt8(ascii: ":") }
        let port = authority.utf8[name.endIndex...].dropFirst()
        let isPlain =
            name.endIndex == authority.endIndex
            || port.allSatisfy { (0x30...0x39).contains($0) } && UInt16(Substring(port)) != nil
        return isPlain && ["127.0.0.1", "localhost"].contains(Substring(name).lowercased())
    }
}

extension Gate {
    /// What a player sends, and an origin may want to see.
    private static let passed = ["Referer", "Cookie", "Authorization", "User-Agent", "Origin"]

    /// The fields of a player's request that are passed on: not the proxy's address, which holds
    /// the key, nor a browser's cookies, which are those of other programs at this machine's name.
    func passedOn(from request: RequestHead) -> HTTPFields {
        var fields = HTTPFields()
        let isBrowser = request["Sec-Fetch-Site"] != nil
        for name in Self.passed {
            guard let value = request[name], !value.contains(key.text),
                name != "Cookie" || !isBrowser
            else { continue }
            try? fields.set(value, for: name)
        }
        return fields
    }
}
