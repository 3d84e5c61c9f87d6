/// A completed file that is right as far as it goes, and ends before the video does.
package struct CutFile: Sendable, Hashable, Codable {
    package let length: Int64
    package let video: Int64

    package init(length: Int64, video: Int64) { (self.length, self.video) = (length, video) }

    /// `is empty`, `ends after 1.5 MB of 10.0 MB`, `ends 1 byte too early`.
    package var words: String {
        if length == 0 { return "is empty" }
        let lengths = [length, video].map { MetricUnit.readableBytes(Double($0)) }
        // Where both round to the same, only the bytes tell.
        return lengths[0] == lengths[1]
            ? "ends \((video - length).counted("byte")) too early"
            : "ends after \(lengths[0]) of \(lengths[1])"
    }
}
