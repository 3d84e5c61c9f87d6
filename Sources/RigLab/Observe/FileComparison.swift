internal import Fixture
internal import RigModel

/// Compares a completed file with the video, byte by byte.
///
/// Sizes say nothing: a file of the right length can hold another version, or zeros.
enum FileComparison {
    /// What a comparison found.
    struct Result: Sendable {
        /// Bytes unlike the video's; missing and surplus ones count.
        let differingBytes: Int64
        /// The first place.
        let firstDifference: Difference?
        /// The positions of the video at which the file is unlike it, or has ended.
        let wrong: ByteRanges
        /// Those of them at which it equals the version before; nil where there was none.
        let stale: ByteRanges?
    }

    /// Compares a file with the video; nil when there is no file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - video: what it should be.
    ///   - before: the version that the origin had before; nil where it has not changed.
    /// - Returns: what differs.
    /// - Throws: what reading the file or a video throws.
    static func compare(
        file path: String, with video: any VideoSource, before: (any VideoSource)? = nil
    ) throws -> Result? {
        guard let found = try differences(of: path, from: video) else { return nil }
        return Result(
            differingBytes: found.count, firstDifference: found.first, wrong: found.positions,
            stale: try before.map { try stale(path, $0, among: found.positions) })
    }

    private typealias Differences = (
        count: Int64, first: Difference?, positions: ByteRanges, fileLength: Int64
    )

    private static func differences(
        of path: String, from video: any VideoSource
    ) throws -> Differences? {
        guard var file = FilePieces(path, pieceSize: VideoComparison.pieceSize), !file.isFolder
        else { return nil }
        var comparison = VideoComparison(video: video)
        var count: Int64 = 0
        var offset: Int64 = 0
        while true {
            let piece = try file.next()
            if piece.isEmpty { break }
            count += try comparison.differingBytes(piece, at: offset)
            offset += Int64(piece.count)
        }
        let missing = min(offset, video.length)..<video.length
        return (
            count + Int64(missing.count), comparison.firstDifference,
            comparison.differing.union(ByteRanges([missing])), offset
        )
    }

    private static func stale(
        _ path: String, _ before: any VideoSource, among wrong: ByteRanges
    ) throws -> ByteRanges {
        guard !wrong.isEmpty, let unlike = try differences(of: path, from: before) else {
            return ByteRanges()
        }
        return ByteRanges([0..<min(unlike.fileLength, before.length)])
            .subtracting(unlike.positions).intersection(wrong)
    }
}
