import Testing

@testable import Fixture

@Suite("Damage is recognised for what it is (B5)") struct BlockDiagnosisTests {
    static let seed: UInt64 = 42
    static let length: Int64 = 1 << 20

    /// Offsets in the payload and in the clip, at different alignments.
    static let payloadOffsets: [Int64] = [
        19_264, 65_537, 500_063, 960_064 - 17, 1_000_000, length - 128,
    ]
    static let clipOffsets: [Int64] = [0, 1_000, 4_200, 10_001, 19_000]

    let video: FixtureVideo

    init() throws { video = try FixtureVideo(seed: Self.seed, length: Self.length) }

    private func sample(at offset: Int64, count: Int = BlockDiagnosis.sampleSize) throws -> [UInt8]
    { try video.bytes(in: offset..<offset + Int64(count)) }

    private func diagnose(_ found: [UInt8], at offset: Int64) throws -> BlockDiagnosis {
        try BlockDiagnosis.diagnose(found: found, at: offset, in: video)
    }

    @Test(
        "Sound bytes are equal, at any alignment and length",
        arguments: payloadOffsets + clipOffsets, [0, 1, 63, 64, 128])
    func equal(offset: Int64, count: Int) throws {
        #expect(try diagnose(sample(at: offset, count: count), at: offset) == .equal)
    }

    @Test("Zeros are a hole", arguments: payloadOffsets + clipOffsets)
    func hole(offset: Int64) throws {
        #expect(try diagnose([UInt8](repeating: 0, count: 128), at: offset) == .hole)
        #expect(try diagnose([UInt8](repeating: 0, count: 40), at: offset) == .hole)
    }

    @Test("A hole that begins or ends within the sample is a hole", arguments: payloadOffsets)
    func holeWithEdges(offset: Int64) throws {
        var found = try sample(at: offset)
        for index in 20..<90 { found[index] = 0 }
        #expect(try diagnose(found, at: offset) == .hole)
    }

    @Test("Bytes of another seed are stale", arguments: payloadOffsets, [0, 41, UInt64.max])
    func stale(offset: Int64, other: UInt64) throws {
        let old = try FixtureVideo(seed: other, length: Self.length)
        let found = try old.bytes(in: offset..<offset + 128)
        #expect(try diagnose(found, at: offset) == .stale(BlockOwner(seed: other)))
    }

    /// The first 945,810 bytes used to be a clip shared by all fixtures.
    ///
    /// A file with that much of another video then had no wrong byte there, and the next version's
    /// bytes were reported as foreign.
    @Test(
        "Behind the clip the bytes of another video or version name both, wherever they are taken",
        arguments: [
            BlockOwner(seed: 41), BlockOwner(seed: 41, version: 2), .init(seed: 42, version: 2),
        ])
    func anyPlace(owner: BlockOwner) throws {
        let other = try FixtureVideo(seed: owner.seed, length: Self.length)
        var offset = video.payloadStart
        while offset + Int64(BlockDiagnosis.sampleSize) <= Self.length {
            var found = try other.bytes(in: offset..<offset + Int64(BlockDiagnosis.sampleSize))
            if owner.version == 2 { found = found.map { ~$0 } }
            #expect(try diagnose(found, at: offset) == .stale(owner), "\(offset)")
            offset += 1021
        }
    }

    @Test("The clip's own gap names video and version, too") func gap() throws {
        let other = try FixtureVideo(seed: 7, length: Self.length)
        let found = try other.bytes(in: 3200..<3328)
        #expect(try diagnose(found, at: 3200) == .stale(BlockOwner(seed: 7)))
    }

    @Test(
        "The video's own bytes in another place are shifted, by how much and which way",
        arguments: payloadOffsets, [1, -1, 64, -64, 4096, -37, -10_000] as [Int64])
    func shifted(place: Int64, by: Int64) throws {
        let from = min(max(place - by, video.payloadStart), Self.length - 128)
        let target = from + by
        #expect(try diagnose(sample(at: from), at: target) == .shifted(by: by))
    }

    @Test(
        "A shift is recognised within the clip, in short samples, and across clip and payload",
        arguments: [
            (10_001, 1, 128), (10_001, -1, 20), (5_000, 8_000, 64), (960_000, 1, 32),
            (960_005, -3, 16), (19_140, 100_000, 64), (960_000, -500_000, 128),
        ] as [(Int64, Int64, Int)])
    func shiftedElsewhere(from: Int64, by: Int64, count: Int) throws {
        #expect(try diagnose(sample(at: from, count: count), at: from + by) == .shifted(by: by))
    }

    @Test("A flipped bit or a single byte set to zero is foreign", arguments: payloadOffsets)
    func flipped(offset: Int64) throws {
        for index in [0, 31, 127] {
            var found = try sample(at: offset)
            found[index] ^= 0x10
            #expect(try diagnose(found, at: offset) == .foreign)
        }
        var found = try sample(at: offset)
        let index = try #require(found.firstIndex { $0 != 0 })
        found[index] = 0
        #expect(try diagnose(found, at: offset) == .foreign)
    }

    @Test("Noise, one repeated byte, and bytes beyond the end are foreign") func foreign() throws {
        var mix = BlockMix(seed: 99, offset: 12_345)
        let noise = (0..<128).map { _ in UInt8(truncatingIfNeeded: mix.next()) }
        #expect(try diagnose(noise, at: 960_000) == .foreign)
        #expect(try diagnose([UInt8](repeating: 0xFF, count: 128), at: 960_000) == .foreign)
        #expect(try diagnose([1, 2, 3], at: Self.length - 2) == .foreign)
        #expect(try diagnose([1, 2, 3], at: -1) == .foreign)
    }

    @Test("A block with a true offset and seed but other numbers is foreign") func forged() throws {
        var found = try sample(at: 960_064 - 64, count: 128)
        for index in 16..<64 { found[index] = UInt8(index) }
        #expect(try diagnose(found, at: 960_000) == .foreign)
    }

    @Test("In a video without blocks a hole, a near shift and foreign bytes are told apart")
    func otherVideos() throws {
        let memory = MemoryVideo(try video.bytes(in: 0..<Self.length))
        let found = try sample(at: 500_000)
        func diagnose(_ found: [UInt8], at offset: Int64) throws -> BlockDiagnosis {
            try BlockDiagnosis.diagnose(found: found, at: offset, in: memory)
        }
        #expect(try diagnose(found, at: 500_000) == .equal)
        #expect(try diagnose(found, at: 500_001) == .shifted(by: 1))
        #expect(try diagnose(found, at: 499_000) == .shifted(by: -1000))
        #expect(try diagnose([UInt8](repeating: 0, count: 128), at: 500_000) == .hole)
        #expect(try diagnose([UInt8](repeating: 7, count: 128), at: 500_000) == .foreign)
    }

    @Test("Each diagnosis has words of its own") func words() {
        let all: [BlockDiagnosis] = [
            .equal, .hole, .stale(BlockOwner(seed: 1)), .shifted(by: -1), .foreign,
        ]
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(BlockDiagnosis.shifted(by: -1).description.contains("-1"))
    }
}
