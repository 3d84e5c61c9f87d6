internal import Fixture
internal import RigModel

/// Compares a completed file with the video, byte by byte.
///
/// Sizes prove nothing: a file of the right length can hold another version, or zeros.
enum FileComparison {
    struct Result: Sendable {
        /// Bytes that differ from the video's; missing and surplus ones count.
        let differingBytes: Int64
        /// How early the file ends, if nothing else is wrong with it; nil if it is otherwise.
        let cut: CutFile?
        let firstDifference: Difference?
        /// The positions of the video at which the file differs from it, or has ended.
        let wrong: ByteRanges
        /// The positions, also past the video's end, at which the file differs from the video and
        /// equals the previous version; nil where there was none.
        let stale: ByteRanges?
        /// True where the file is the previous version, byte for byte; nil where there was none.
        let isVersionBefore: Bool?
        let length: Int64
        /// How many of these are past the video's end.
        let surplus: Int64
    }

    /// Nil when there is no file; `before` is the origin's previous version, if there was one.
    static func compare(
        file path: String, with video: any VideoSource, before: (any VideoSource)? = nil
    ) throws -> Result? {
        guard let found = try differences(of: path, from: video) else { return nil }
        let previousVersion = try before.flatMap { try differences(of: path, from: $0) }
        return Result(
            differingBytes: found.count,
            // All that differs is missing.
            cut: found.count > 0 && found.count == video.length - found.fileLength
                ? CutFile(length: found.fileLength, video: video.length) : nil,
            firstDifference: found.first,
            wrong: found.positions,
            stale: before.flatMap { before in
                previousVersion.map { stale(found, $0, before, video) }
            },
            isVersionBefore: previousVersion.map { $0.count == 0 && found.count > 0 },
            length: found.fileLength, surplus: max(0, found.fileLength - video.length))
    }

    /// What is wrong with a file unlike the video, such as `its file ends after 1.5 MB of 10.0 MB`.
    static func words(_ result: Result) -> String {
        if let cut = result.cut { return "its file \(cut.words)" }
        let place = result.firstDifference.map { ", the first at \($0.offset)" } ?? ""
        let count = result.differingBytes
        let bytes = count == 1 ? "1 byte of its file is" : "\(count) bytes of its file are"
        return "\(bytes) unlike the video's\(place)"
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
        let (length, count) = try comparison.compare(&file)
        let missing = min(length, video.length)..<video.length
        return (
            count + Int64(missing.count), comparison.firstDifference,
            comparison.differing.union(ByteRanges([missing])), length
        )
    }

    private static func stale(
        _ found: Differences, _ previousVersion: Differences, _ before: any VideoSource,
        _ video: any VideoSource
    ) -> ByteRanges {
        let surplus = min(video.length, found.fileLength)..<found.fileLength
        return ByteRanges([0..<min(previousVersion.fileLength, before.length)])
            .subtracting(previousVersion.positions)
            .intersection(found.positions.union(ByteRanges([surplus])))
    }
}
