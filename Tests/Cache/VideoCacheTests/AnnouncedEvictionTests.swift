import Synchronization
import Testing

@testable import VideoCache

@Suite("What is evicted is said before it goes, and nothing else is (C6)")
struct AnnouncedEvictionTests {
    private let folder = TemporaryFolder()
    private let piece = videoBytes(10_000)

    /// Records announced evictions, and whether another connection still sees the chunk.
    private final class Listener: CacheObserver {
        private let folder: String
        private let heard = Mutex<[(range: ByteRange, url: String, isThere: Bool)]>([])

        init(_ folder: String) { self.folder = folder }

        var ranges: [ByteRange] { heard.withLock { $0.map(\.range) } }
        var urls: [String] { heard.withLock { $0.map(\.url) } }
        var wasAlwaysThere: Bool { heard.withLock { $0.allSatisfy(\.isThere) } }

        func requestBegan(url: String, start: Int64) -> any RequestObserver { SilentObserver() }

        func willEvict(_ range: ByteRange, of url: String) {
            let isThere =
                try? VideoCache(folder: folder, access: .readOnly).isCached(range, of: url)
            heard.withLock { $0.append((range, url, isThere == true)) }
        }
    }

    private func store(
        _ layout: StorageLayout, capacity: Int64?, _ listener: Listener
    ) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(
            folder: folder.path, layout: layout, capacity: capacity, observer: listener)
    }

    @Test("by a save and by room that is made", arguments: StorageLayout.allCases)
    func bySaves(layout: StorageLayout) throws {
        let listener = Listener(folder.path)
        let store = try store(layout, capacity: 30_000, listener)
        for number in 0..<3 { try store.save(piece, at: 0, of: store.anyVideo("\(number)")) }
        #expect(listener.ranges.isEmpty)
        try store.save(piece, at: 0, of: store.anyVideo("3"))
        let next = try store.anyVideo("4")
        try store.makeRoom(for: [ByteRange(offset: 0, length: 20_000)], of: next)
        try store.save(piece + piece, at: 0, of: next)
        #expect(listener.urls == ["0", "1", "2"])
        #expect(listener.ranges == Array(repeating: ByteRange(offset: 0, length: 10_000), count: 3))
        #expect(listener.wasAlwaysThere)
    }

    @Test("by a start with less room", arguments: StorageLayout.allCases)
    func byAStart(layout: StorageLayout) throws {
        let listener = Listener(folder.path)
        let first = try store(layout, capacity: nil, listener)
        let video = try first.anyVideo("v")
        for offset in [0, 50_000, 90_000] as [Int64] {
            try first.save(piece, at: offset, of: video)
        }
        try first.close()
        #expect(listener.ranges.isEmpty)
        let second = try store(layout, capacity: 15_000, listener)
        #expect(listener.ranges.map(\.offset) == [0, 50_000])
        #expect(listener.wasAlwaysThere)
        try second.close()
    }

    @Test("nothing is announced where no room can be made", arguments: StorageLayout.allCases)
    func notWhereThereIsNone(layout: StorageLayout) throws {
        let listener = Listener(folder.path)
        let store = try store(layout, capacity: 30_000, listener)
        let video = try store.anyVideo("v")
        for offset in [0, 10_000, 20_000] as [Int64] {
            try store.save(piece, at: offset, of: video)
        }
        let hold = store.readers.hold(ByteRange(offset: 10_000, length: 20_000), of: video)
        #expect(throws: CacheError.self) { try store.save(piece + piece, at: 60_000, of: video) }
        #expect(listener.ranges.isEmpty)
        #expect(try store.ranges(of: video).byteCount == 30_000)
        withExtendedLifetime(hold) {}
    }
}
