internal import Foundation
internal import VideoCache

/// A life of a small cache, which is recorded and then cut at each of its moments:
/// `CacheFiller live FOLDER LAYOUT DURABILITY SEED STEPS`.
///
/// The cache is in `FOLDER/cache`. After each step a line of `FOLDER/told` says what it has.
struct Life {
    /// The most bytes that the cache may have; so few that it evicts all the time.
    static let capacity: Int64 = 60_000

    private let folder: String
    private let layout: StorageLayout
    private let durability: Durability
    private let steps: Int
    private let seed: UInt64

    init(_ words: ArraySlice<String>) {
        let words = Array(words)
        guard words.count == 5, let layout = StorageLayout(rawValue: words[1]),
            let durability = Durability(rawValue: words[2]), let seed = UInt64(words[3]),
            let steps = Int(words[4])
        else { fail("CacheFiller live FOLDER rows|file process|power SEED STEPS", 64) }
        folder = words[0]
        (self.layout, self.durability) = (layout, durability)
        (self.seed, self.steps) = (seed, steps)
    }

    static func cache(
        in folder: String, _ layout: StorageLayout, _ durability: Durability
    ) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(
            folder: folder + "/cache", durability: durability, layout: layout, capacity: capacity)
    }

    static func filler(of store: SQLiteChunkStore, seed: UInt64) -> Filler {
        Filler(
            store: store, generator: Generator(state: seed), videos: 3, reach: 30_000,
            longest: 9000)
    }

    func live() throws {
        var filler = Self.filler(of: try Self.cache(in: folder, layout, durability), seed: seed)
        for _ in 0..<steps {
            switch Int.random(in: 0..<20, using: &filler.generator) {
            case 0: try filler.store.checkpoint()
            case 1:
                try filler.store.close()
                filler.store = try Self.cache(in: folder, layout, durability)
            default: try filler.step()
            }
            try tell(try Snapshot(of: filler.store))
        }
    }

    private func tell(_ snapshot: Snapshot) throws {
        let file = open(folder + "/told", O_WRONLY | O_CREAT | O_APPEND, 0o644)
        guard file >= 0 else { fail("CacheFiller: cannot open \(folder)/told", 70) }
        defer { close(file) }
        let line = Array((snapshot.line + "\n").utf8)
        guard write(file, line, line.count) == line.count else {
            fail("CacheFiller: cannot write \(folder)/told", 70)
        }
    }
}
