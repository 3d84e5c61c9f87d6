/// The `Content-Range` header of a 206 or 416 response.
struct ContentRange: Hashable {
    /// The bytes sent; nil in a 416 response, which sends none.
    var range: ByteRange?
    /// The whole resource's size in bytes; nil if the origin does not know it.
    var total: Int64?

    /// Parses `bytes 0-1/1000`, `bytes 0-1/*` or `bytes */1000`; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let halves = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        if halves[1] != "*" {
            guard let total = Int64(halves[1]), total >= 0 else { return nil }
            self.total = total
        }
        if halves[0] == "*" { return }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int64(bounds[0]), let last = Int64(bounds[1]),
            first >= 0, last >= first, last < Int64.max, total.map({ last < $0 }) ?? true
        else { return nil }
        range = ByteRange(from: first, to: last + 1)
    }
}
