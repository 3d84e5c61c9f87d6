import Testing

@testable import Fixture

@Suite("The fixture video is a pure function of seed and length") struct FixtureVideoTests {
    static let megabyte: Int64 = 1 << 20

    @Test("The same seed gives the same bytes, another seed others, but for index and media")
    func purity() throws {
        let first = try FixtureVideo(seed: 7, length: 2 * Self.megabyte)
        let again = try FixtureVideo(seed: 7, length: 2 * Self.megabyte)
        let other = try FixtureVideo(seed: 8, length: 2 * Self.megabyte)
        let whole = try first.bytes(in: 0..<first.length)
        #expect(try again.bytes(in: 0..<again.length) == whole)
        let unlike = try other.bytes(in: 0..<other.length)
        #expect(unlike != whole)
        let same = [0..<Clip.gap.lowerBound, Clip.gap.upperBound..<Int(first.payloadStart)]
        for part in same { #expect(unlike[part] == whole[part]) }
        #expect(unlike[Clip.gap] != whole[Clip.gap])
        #expect(first.identity == again.identity && first.identity != other.identity)
        #expect(try first.identity != FixtureVideo(seed: 7, length: 1 << 21 | 1).identity)
    }

    /// Videos used to share their first 945,810 bytes, where another video's bytes compared equal.
    ///
    /// A kill in the first tenth of a video of 10 MB could not show that bytes were mixed up.
    @Test("Two videos differ in every window of 4 KB but those of a clip of 20 KB at the most")
    func everywhere() throws {
        let one = try FixtureVideo(seed: 1, length: 2 * Self.megabyte)
        let other = try FixtureVideo(seed: 2, length: 2 * Self.megabyte)
        let bytes = try (one.bytes(in: 0..<one.length), other.bytes(in: 0..<other.length))
        let differing = bytes.0.indices.filter { bytes.0[$0] != bytes.1[$0] }
        var last = 20 << 10
        for place in differing where place >= last {
            #expect(place - last < 4096)
            last = place
        }
        #expect(bytes.0.count - last < 4096)
        // The clip's bytes that are the same in all videos are within that limit.
        #expect(FixtureVideo.clipLength <= 20 << 10)
    }

    @Test("The bytes do not depend on the window they are read through") func windows() throws {
        let video = try FixtureVideo(seed: 1, length: FixtureVideo.minimumLength + 1000)
        let whole = try video.bytes(in: 0..<video.length)
        #expect(Int64(whole.count) == video.length)
        let edges = [
            0, 1, FixtureVideo.clipLength - 1, FixtureVideo.clipLength,
            FixtureVideo.clipLength + 3, video.payloadStart - 1, video.payloadStart,
            video.payloadStart + 1, 19_264, 19_265, 19_327, 19_328, 19_329, 19_400,
            Int64(Clip.gap.lowerBound) - 1, Int64(Clip.gap.lowerBound), 3136, 4095, 4096,
            video.length - 64, video.length - 1, video.length,
        ]
        for start in edges {
            for end in edges where end >= start {
                let window = try video.bytes(in: start..<end)
                #expect(window == Array(whole[Int(start)..<Int(end)]), "\(start)..<\(end)")
            }
        }
    }

    @Test("Every block names its own offset and the seed") func blocks() throws {
        let video = try FixtureVideo(seed: 0xABCD_EF01_2345_6789, length: Self.megabyte)
        var offset = FixtureBlock.start(of: video.payloadStart) + 64
        while offset + 64 <= video.length {
            let bytes = try video.bytes(in: offset..<offset + 64)
            let block = bytes.withUnsafeBytes { $0.baseAddress.flatMap { FixtureBlock(at: $0) } }
            #expect(block == FixtureBlock(seed: video.seed, offset: offset))
            offset += 64
        }
    }

    /// The bytes must never change: stored runs name a fixture only by seed and length.
    @Test("The clip and the format of the blocks are fixed") func format() throws {
        let video = try FixtureVideo(seed: 1, length: Self.megabyte)
        let block = try video.bytes(in: 1_000_000..<1_000_064)
        let expected: [UInt8] = [0x40, 0x42, 0x0F, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
        #expect(Array(block[..<16]) == expected)
        #expect(MemoryVideo(Clip.bytes).identity == "memory-cdee71f8c7089c87-19221")
        // SplitMix64 of seed 1 begins with 0x910a2dec89025cc1, the first number of this block.
        var mix = BlockMix(seed: 1, offset: 0)
        #expect(mix.next() == splitMix(state: 0x910A_2DEC_8902_5CC1))
    }

    private func splitMix(state: UInt64) -> UInt64 {
        var mixed = state &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    @Test("A length too short for the clip is refused, with what to do") func tooShort() throws {
        #expect(try FixtureVideo(seed: 0, length: FixtureVideo.minimumLength).length == 19_229)
        for length in [-1, 0, 10_240, FixtureVideo.minimumLength - 1] {
            let error = #expect(throws: FixtureError.self) {
                try FixtureVideo(seed: 0, length: length)
            }
            #expect(error == .tooShort(length: length, minimum: FixtureVideo.minimumLength))
            #expect(error?.description.contains("Ask for 19KB or more") == true)
            #expect(error?.description.contains("--video FILE") == true)
        }
    }

    @Test(
        "A read outside the video is refused",
        arguments: [
            (-1, 1), (19_229, 1), (19_200, 30), (Int64.max, 1), (0, 19_230),
        ] as [(Int64, Int)])
    func outside(offset: Int64, count: Int) throws {
        let video = try FixtureVideo(seed: 0, length: FixtureVideo.minimumLength)
        let memory = try MemoryVideo(copying: video)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        let expected = FixtureError.outsideVideo(offset: offset, count: count, length: video.length)
        #expect(throws: expected) { try video.read(into: buffer, at: offset) }
        #expect(throws: expected) { try memory.read(into: buffer, at: offset) }
    }

    @Test("A video in memory has its source's bytes; other bytes have another identity")
    func memory() throws {
        let video = try FixtureVideo(seed: 3, length: Self.megabyte)
        let copy = try MemoryVideo(copying: video)
        #expect(try copy.bytes(in: 0..<copy.length) == video.bytes(in: 0..<video.length))
        #expect(try copy.bytes(in: 5..<77) == video.bytes(in: 5..<77))
        #expect(copy.identity == video.identity)
        #expect(MemoryVideo([1, 2, 3]).identity == MemoryVideo([1, 2, 3]).identity)
        #expect(MemoryVideo([1, 2, 3]).identity != MemoryVideo([1, 2, 4]).identity)
    }

    @Test("A video that keeps its bytes has the same ones, through any window and no further")
    func keeping() throws {
        let video = try FixtureVideo(seed: 3, length: Self.megabyte)
        let kept = try video.keptInMemory()
        #expect(kept.identity == video.identity)
        for window in [0..<video.length, 5..<77, 900_000..<1_000_001, 12..<12] {
            #expect(try kept.bytes(in: window) == video.bytes(in: window))
        }
        #expect(throws: FixtureError.self) {
            try kept.bytes(in: video.length - 1..<video.length + 1)
        }
        let long = try video.keptInMemory(upTo: Self.megabyte - 1)
        #expect(try long.bytes(in: 5..<77) == video.bytes(in: 5..<77))
    }
}
