internal import Fixture
internal import Foundation
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
    }

    /// Compares a file with the video; nil when there is no file.
    static func compare(file path: String, with video: any VideoSource) throws -> Result? {
        guard let handle = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? handle.close() }
        var comparison = VideoComparison(video: video)
        var differing: Int64 = 0
        var offset: Int64 = 0
        while let piece = try handle.read(upToCount: VideoComparison.pieceSize), !piece.isEmpty {
            differing += try piece.withUnsafeBytes {
                try comparison.differingBytes($0, at: offset)
            }
            offset += Int64(piece.count)
        }
        return Result(
            differingBytes: differing + max(0, video.length - offset),
            firstDifference: comparison.firstDifference)
    }
}
