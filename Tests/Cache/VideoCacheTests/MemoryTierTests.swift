import Foundation
import Testing

@testable import VideoCache

/// The tier in memory has a limit of its own, and never answers for other bytes (C11).
@Suite struct MemoryTierTests {
    private static let chunk = 1000

    private let folder = TemporaryFolder()
    private let bytes = videoBytes(5000)

    private func store(_ layout: StorageLayout, _ memory: MemoryTier?) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(folder: folder.path, layout: layout, memory: memory)
    }

    private func fill(_ store: SQLiteChunkStore) throws -> CachedVideo {
        let video = try store.anyVideo()
        try store.save(bytes, inChunksOf: Self.chunk, of: video)
        return video
    }

    private func read(_ number: Int, _ store: SQLiteChunkStore) throws -> [UInt8] {
        try VideoCache(store: store).served(
            ByteRange(offset: Int64(number * Self.chunk), length: Int64(Self.chunk))
        ).bytes
    }

    @Test(arguments: StorageLayout.allCases)
    func theLeastRecentlyUsedGoAtTheLimit(layout: StorageLayout) throws {
        let memory = try #require(MemoryTier(limit: 2500))
        let store = try store(layout, memory)
        _ = try fill(store)
        #expect(memory.bytes == 0, "what was saved was not read")
        for (number, held) in [(0, 1000), (1, 2000), (0, 2000), (2, 2000), (4, 2000)] {
            #expect(try read(number, store) == Array(bytes[number * 1000..<(number + 1) * 1000]))
            #expect(memory.bytes == Int64(held))
        }
        #expect(try store.cachedBytes() == 5000, "the disk has its own limit")
    }

    /// Proves that the second read came from memory: the bytes on the disk are wrong by then.
    @Test func whatWasReadIsServedFromMemory() throws {
        let store = try store(.file, MemoryTier(limit: 1 << 20))
        _ = try fill(store)
        #expect(try read(0, store) == Array(bytes[..<1000]))
        try Data(count: 5000).write(to: URL(fileURLWithPath: folder.file("data/1")))
        #expect(try read(0, store) == Array(bytes[..<1000]))
        #expect(try read(1, store) == [], "never read, and damaged on the disk")
    }

    @Test(arguments: StorageLayout.allCases)
    func anotherVersionIsNeverAnsweredByTheOldOne(layout: StorageLayout) throws {
        let store = try store(layout, MemoryTier(limit: 1 << 20))
        let old = try fill(store)
        #expect(try read(0, store) == Array(bytes[..<1000]))
        let facts = ContentInformation(length: 1000, acceptsRanges: true, etag: "\"2\"")
        let new = [UInt8](repeating: 7, count: 1000)
        try store.replace(old, with: facts, bytes: new)
        #expect(try read(0, store) == new)
        try store.removeAll()
        #expect(try read(0, store) == [])
    }

    @Test func aChunkThatIsLargerThanTheLimitIsNotKept() throws {
        let memory = try #require(MemoryTier(limit: 999))
        let store = try store(.file, memory)
        _ = try fill(store)
        #expect(try read(0, store) == Array(bytes[..<1000]))
        #expect(memory.bytes == 0)
    }
}
