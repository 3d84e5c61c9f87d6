/// The bytes over which kills are drawn evenly: `9.5MB..10MB` is (9.5 MB, 10 MB].
///
/// Kills at a single byte all lose about the same; over the last threshold before an amount they
/// lose anything from nothing to the most (B3, B4).
package struct ByteWindow: Sendable, Hashable, Codable {
    /// The bytes after which it begins; at least 0.
    package let after: Int64
    /// Its last byte count; more than ``after``.
    package let through: Int64

    package init?(after: Int64, through: Int64) {
        guard after >= 0, after < through else { return nil }
        (self.after, self.through) = (after, through)
    }

    /// Parses two sizes with `..` between them; nil for other text.
    package init?(_ text: String) {
        let ends = text.split(separator: "..", omittingEmptySubsequences: false)
        guard ends.count == 2, let after = ByteSize(String(ends[0])),
            let through = ByteSize(String(ends[1]))
        else { return nil }
        self.init(after: after.bytes, through: through.bytes)
    }

    /// True if a kill anywhere in it is inside a video, and in order.
    package func fits(videoLength: Int64) -> Bool {
        after >= 0 && after < through && through < videoLength
    }

    func moment(at share: Double) -> Int64 {
        min(after + 1 + Int64(share * Double(through - after)), through)
    }

    /// The text that `--at` takes for it.
    package var text: String { "\(ByteSize(bytes: after))..\(ByteSize(bytes: through))" }
}
