internal import Foundation
internal import VideoCache

/// SplitMix64.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Performs random player operations on a cache of some videos.
struct Filler {
    static let pattern = {
        var generator = Generator(state: 1)
        let words = (0..<(1 << 16)).map { _ in generator.next() }
        return words.withUnsafeBytes { Array($0) }
    }()

    var store: SQLiteChunkStore
    var generator: Generator
    /// How many videos there are.
    var videos = 100
    /// Where the last range of a video begins, in bytes.
    var reach = 200_000
    /// The longest range, in bytes.
    var longest: Int64 = 40_000

    mutating func step() throws {
        let number = Int.random(in: 0..<videos, using: &generator)
        let url = "\(number)"
        guard let video = try store.video(url: url) else {
            _ = try store.store(Self.facts(version: 0), url: url)
            return
        }
        let start = Int.random(in: 0..<reach, using: &generator)
        let range = ByteRange(
            offset: Int64(start), length: Int64.random(in: 1...longest, using: &generator))
        switch Int.random(in: 0..<100, using: &generator) {
        case 0..<10: store.noteUse(of: range, in: video)
        case 10..<14: try store.discard(range, of: video)
        case 14..<18: try replace(video, number: number, range: range)
        case 18..<20: try store.remove(video)
        case 20..<22 where store.checkpointIsDue: try store.checkpoint()
        default: try save(range, of: video, number: number)
        }
    }

    private func save(_ range: ByteRange, of video: CachedVideo, number: Int) throws {
        try store.makeRoom(for: [range], of: video)
        try Self.withChunk(range, number: number, version: Self.version(video)) {
            _ = try store.save([$0], of: video)
        }
    }

    private func replace(_ video: CachedVideo, number: Int, range: ByteRange) throws {
        let version = Self.version(video) + 1
        try Self.withChunk(range, number: number, version: version) {
            _ = try store.replace(video, with: Self.facts(version: version), holding: [$0])
        }
    }

    private static func facts(version: Int) -> ContentInformation {
        ContentInformation(length: nil, acceptsRanges: true, etag: "\"\(version)\"")
    }

    static func version(_ video: CachedVideo) -> Int {
        video.information.etag.flatMap { Int($0.dropFirst().dropLast()) } ?? 0
    }

    /// Runs the body with the bytes that belong at a place.
    static func withChunk<Value>(
        _ range: ByteRange, number: Int, version: Int, body: (Chunk) throws -> Value
    ) rethrows -> Value {
        let shift = (number * 7919 + version * 104_729) % (pattern.count / 2)
        let start = Int(range.offset) + shift
        return try pattern.withUnsafeBytes { all in
            let bytes = UnsafeRawBufferPointer(rebasing: all[start..<start + Int(range.length)])
            return try body(Chunk(offset: range.offset, bytes: bytes))
        }
    }
}
