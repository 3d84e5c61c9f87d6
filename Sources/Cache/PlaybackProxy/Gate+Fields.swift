internal import LoopbackHTTP
internal import VideoCache

extension Gate {
    /// What a player sends, and an origin may want to see.
    private static let passed = ["Referer", "Cookie", "Authorization", "User-Agent", "Origin"]

    /// The fields of a player's request that are passed on to the origin.
    ///
    /// Not the proxy's own address, which holds the key; and not the cookies of a browser, which are
    /// those of other programs of this machine: all share its name.
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
