import Foundation
import RigModel
import Testing

@testable import RigLab

/// The completed file against the video, byte by byte.
struct FileComparisonTests {
    private let video = BytesVideo.pattern(600_001)

    private func compare(_ bytes: [UInt8]) throws -> FileComparison.Result {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("output")))
        return try #require(
            try FileComparison.compare(file: folder.file("output"), with: video))
    }

    @Test func anEqualFileHasNoDifference() throws {
        let result = try compare(video.bytes)
        #expect(result.differingBytes == 0)
        #expect(result.firstDifference == nil)
    }

    @Test func missingSurplusAndChangedBytesCount() throws {
        #expect(try compare(Array(video.bytes.dropLast(7))).differingBytes == 7)
        #expect(try compare(video.bytes + [1, 2, 3]).differingBytes == 3)
        #expect(try compare([]).differingBytes == 600_001)
        var changed = video.bytes
        changed[300_000] ^= 0x80
        changed[600_000] ^= 0x01
        let result = try compare(changed)
        #expect(result.differingBytes == 2)
        let first = try #require(result.firstDifference)
        #expect(first.offset == 300_000)
        #expect(first.found.first == video.bytes[300_000] ^ 0x80)
    }

    @Test func noFileIsNotAnEmptyFile() throws {
        let folder = try TemporaryFolder()
        #expect(try FileComparison.compare(file: folder.file("none"), with: video) == nil)
    }
}
