/// The `Content-Range` header of a 206 or 416 response.
struct ContentRange: Hashable {
    /// The bytes sent; nil if none are: in a 416 response, and where the range is empty.
    var range: ByteRange?
    /// The whole resource's size in bytes; nil if the origin does not know it.
    var total: Int64?

    /// Parses `bytes 0-1/1000`, `bytes 0-1/*` or `bytes */1000`; nil for text of another meaning.
    ///
    /// Its form may vary as servers vary it (K2): blanks and tabs between the parts, `bytes=` or
    /// `bytes:`, no unit, no total. The numbers must be exact, and of bytes. `1000-999/1000` is
    /// what a program makes of a range that begins at the end: it says that nothing is there.
    init?(_ text: String) {
        var rest = text[...].trimmingBlanks()
        if rest.lowercased().hasPrefix("bytes") {
            rest = rest.dropFirst("bytes".count).trimmingBlanks()
            if rest.first == "=" || rest.first == ":" { rest = rest.dropFirst() }
        }
        let halves = rest.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.trimmingBlanks() }
        guard halves.count == 1 || halves.count == 2 else { return nil }
        if halves.count == 2, halves[1] != "*", !halves[1].isEmpty {
            guard let total = Self.number(halves[1]) else { return nil }
            self.total = total
        }
        if halves[0] == "*" {
            guard total != nil else { return nil }
            return
        }
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Self.number(bounds[0].trimmingBlanks()),
            let last = Self.number(bounds[1].trimmingBlanks()), last < Int64.max
        else { return nil }
        if let total, first == total, last == total - 1 { return }
        guard last >= first, total.map({ last < $0 }) ?? true else { return nil }
        range = ByteRange(from: first, to: last + 1)
    }

    var isWhole: Bool { range?.offset == 0 && range?.end == total }

    private static func number(_ text: Substring) -> Int64? { text.isDecimal ? Int64(text) : nil }
}
