// Fills a cache until it is killed, for tests: `CacheFiller FOLDER LAYOUT CAPACITY SEED`.
//
// Writes a byte to standard output after each operation, so that the test can time its kill.
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

/// Performs random player operations on a cache of a hundred videos.
struct Filler {
    static let videos = 100
    static let pattern = {
        var generator = Generator(state: 1)
        let words = (0..<(1 << 16)).map { _ in generator.next() }
        return words.withUnsafeBytes { Array($0) }
    }()

    let store: SQLiteChunkStore
    var generator: Generator

    mutating func step() throws {
        let number = Int.random(in: 0..<Self.videos, using: &generator)
        let url = "\(number)"
        guard let video = try store.video(url: url) else {
            _ = try store.store(Self.facts(version: 0), url: url)
            return
        }
        let start = Int.random(in: 0..<200_000, using: &generator)
        let range = ByteRange(
            offset: Int64(start), length: Int64.random(in: 1...40_000, using: &generator))
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

    private static func version(_ video: CachedVideo) -> Int {
        video.information.etag.flatMap { Int($0.dropFirst().dropLast()) } ?? 0
    }

    private static func withChunk(
        _ range: ByteRange, number: Int, version: Int, body: (Chunk) throws -> Void
    ) throws {
        let shift = (number * 7919 + version * 104_729) % (pattern.count / 2)
        let start = Int(range.offset) + shift
        try pattern.withUnsafeBytes { all in
            let bytes = UnsafeRawBufferPointer(rebasing: all[start..<start + Int(range.length)])
            try body(Chunk(offset: range.offset, bytes: bytes))
        }
    }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let layout = StorageLayout(rawValue: arguments[2]),
    let capacity = Int64(arguments[3]), let seed = UInt64(arguments[4])
else {
    FileHandle.standardError.write(Data("CacheFiller FOLDER rows|file CAPACITY SEED\n".utf8))
    exit(64)
}
// Closes inherited sockets of tests that run in parallel: their clients would never see EOF.
for descriptor in Int32(3)..<1024 { close(descriptor) }
do {
    let store = try SQLiteChunkStore(folder: arguments[1], layout: layout, capacity: capacity)
    var filler = Filler(store: store, generator: Generator(state: seed))
    while true {
        do {
            try filler.step()
        } catch CacheError.replaced {
            // Another process replaced this video first.
        }
        FileHandle.standardOutput.write(Data(".".utf8))
    }
} catch {
    FileHandle.standardError.write(Data("CacheFiller: \(error)\n".utf8))
    exit(70)
}
