import Foundation
import RigModel
import Testing

@testable import RigLab

/// Compares the completed file with the video, byte by byte.
struct FileComparisonTests {
    private let video = BytesVideo.pattern(600_001)

    private func compare(
        _ bytes: [UInt8], before: BytesVideo? = nil
    ) throws -> FileComparison.Result {
        let folder = try TemporaryFolder()
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("output")))
        return try #require(
            try FileComparison.compare(file: folder.file("output"), with: video, before: before))
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

    /// It said "600001 bytes of its file are unlike the video's" of an empty file.
    @Test func aFileThatEndsEarlyIsToldFromAWrongOne() throws {
        #expect(try compare([]).cut == CutFile(length: 0, video: 600_001))
        #expect(
            try compare(Array(video.bytes.dropLast(7))).cut
                == CutFile(length: 599_994, video: 600_001))
        #expect(try compare(video.bytes).cut == nil)
        #expect(try compare(video.bytes + [1]).cut == nil)
        var changed = Array(video.bytes.dropLast(7))
        changed[0] ^= 0x80
        #expect(try compare(changed).cut == nil)
        #expect(FileComparison.words(try compare(changed)).hasPrefix("8 bytes of its file are"))
    }

    @Test func noFileIsNotAnEmptyFile() throws {
        let folder = try TemporaryFolder()
        #expect(try FileComparison.compare(file: folder.file("none"), with: video) == nil)
    }

    @Test func theWrongPositionsAreTold() throws {
        #expect(try compare(video.bytes).wrong.isEmpty)
        #expect(try compare(Array(video.bytes.dropLast(7))).wrong.ranges == [599_994..<600_001])
        // Bytes past the end have no position in the video.
        let longer = try compare(video.bytes + [1, 2, 3])
        #expect(longer.wrong.isEmpty)
        #expect(longer.differingBytes == 3)
        #expect(longer.surplus == 3 && longer.length == 600_004)
        #expect(try compare([]).surplus == 0)
        #expect(try compare([]).wrong.ranges == [0..<600_001])
        var changed = video.bytes
        for index in [5, 300_000, 300_001, 600_000] { changed[index] ^= 0x80 }
        #expect(try compare(changed).wrong.ranges == [5..<6, 300_000..<300_002, 600_000..<600_001])
    }

    @Test func aStretchIsOneAlthoughSomeOfItsBytesAreRightByChance() throws {
        // The file is read in pieces that end at 262,144; a stretch may cross that.
        let wrong = 200_000..<500_000
        var changed = video.bytes
        for index in wrong where index % 7 != 4 { changed[index] ^= 0xFF }
        let result = try compare(changed)
        #expect(result.wrong.ranges == [200_000..<500_000])
        #expect(result.differingBytes == Int64(wrong.count { $0 % 7 != 4 }))
        // Too many right bytes in a row to be a coincidence, so they count as right.
        var twice = video.bytes
        for index in [1000, 1016, 1033] { twice[index] ^= 0xFF }
        #expect(try compare(twice).wrong.ranges == [1000..<1017, 1033..<1034])
    }

    @Test func bytesOfTheVersionBeforeAreTold() throws {
        let before = BytesVideo(bytes: video.bytes.map { ~$0 })
        // The first half is the old version, the second the new one with a byte of neither.
        var file = Array(before.bytes[..<300_000] + video.bytes[300_000...])
        #expect(try compare(file, before: before).stale?.ranges == [0..<300_000])
        file[400_000] ^= 0x01
        let result = try compare(file, before: before)
        #expect(result.stale?.ranges == [0..<300_000])
        #expect(result.wrong.ranges == [0..<300_000, 400_000..<400_001])
        #expect(try compare(video.bytes, before: before).stale == ByteRanges())
        #expect(try compare(before.bytes, before: before).stale?.count == 600_001)
        // The missing rest belongs to no version.
        let short = try compare(Array(before.bytes[..<1000]), before: before)
        #expect(short.stale?.ranges == [0..<1000])
        #expect(short.wrong.ranges == [0..<600_001])
        #expect(try compare(file).stale == nil)
    }

    /// With a shorter new version, bytes past its end were not recognized as the old version's.
    @Test func bytesOfALongerVersionBeforeAreToldBehindTheEnd() throws {
        let surplus = (0..<100).map { UInt8($0) }
        let before = BytesVideo(bytes: video.bytes.map { ~$0 } + surplus)
        let whole = try compare(before.bytes, before: before)
        #expect(whole.stale?.ranges == [0..<600_101])
        #expect(whole.isVersionBefore == true)
        #expect(whole.differingBytes == 600_101)
        #expect(whole.wrong.ranges == [0..<600_001])
        // A surplus byte of neither version.
        var foreign = video.bytes + surplus
        foreign[600_051] ^= 0x80
        let result = try compare(foreign, before: before)
        #expect(result.stale?.ranges == [600_001..<600_051, 600_052..<600_101])
        #expect(result.isVersionBefore == false)
    }

    @Test func onlyTheWholeVersionBeforeIsTheVersionBefore() throws {
        let before = BytesVideo(bytes: video.bytes.map { ~$0 })
        #expect(try compare(before.bytes, before: before).isVersionBefore == true)
        #expect(try compare(video.bytes, before: before).isVersionBefore == false)
        #expect(try compare(before.bytes + [1], before: before).isVersionBefore == false)
        let part = Array(before.bytes.dropLast())
        #expect(try compare(part, before: before).isVersionBefore == false)
        #expect(try compare(before.bytes).isVersionBefore == nil)
    }
}
