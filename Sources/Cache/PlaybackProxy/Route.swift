/// The target of an allowed request.
enum Route: Sendable, Hashable {
    /// The status page, for people.
    case statusPage
    /// The status, for programs.
    case statusJSON
    /// The status page's script.
    case script
    /// The status page's style sheet.
    case style
    /// A video.
    case play(OriginAddress)

    /// Determines the target of a request, and checks that the request is allowed.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - allowedHosts: the hosts that videos may come from, in lower case; nil allows all.
    /// - Throws: ``Refusal``.
    init(_ request: PlayerRequest, allowedHosts: Set<String>?) throws(Refusal) {
        try Self.checkHost(request.host)
        guard ["GET", "HEAD"].contains(request.method) else {
            throw Refusal(
                status: 405, reason: "\(request.method) is not for players; use GET or HEAD",
                headers: ["Allow": "GET, HEAD"])
        }
        switch request.path {
        case "/": self = .statusPage
        case "/status.json": self = .statusJSON
        case "/status.js": self = .script
        case "/status.css": self = .style
        case PlayAddress.path:
            let address = try OriginAddress(query: request.query)
            if let allowedHosts, !allowedHosts.contains(address.host) {
                throw Refusal(
                    status: 403,
                    reason: "videos of \(address.host) are not allowed here;"
                        + " start the proxy with --allow-host \(address.host)")
            }
            self = .play(address)
        default:
            throw Refusal(
                status: 404, reason: "there is nothing here; open /play?url=… or the status page /")
        }
    }

    /// Refuses requests with a `Host` that is not a name of this machine.
    ///
    /// A web page can point its own name at 127.0.0.1 and would then have the same origin as the
    /// proxy (DNS rebinding); only its `Host` reveals it.
    private static func checkHost(_ host: String?) throws(Refusal) {
        guard let host else {
            throw Refusal(status: 400, reason: "the Host header is missing; send one")
        }
        let parts = host.lowercased().split(
            separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let isPlain =
            parts.count == 1
            || parts[1].utf8.allSatisfy { (0x30...0x39).contains($0) } && UInt16(parts[1]) != nil
        guard ["127.0.0.1", "localhost"].contains(parts[0]), isPlain else {
            throw Refusal(
                status: 403, reason: "'\(host)' is not this proxy; ask for 127.0.0.1 or localhost")
        }
    }
}
