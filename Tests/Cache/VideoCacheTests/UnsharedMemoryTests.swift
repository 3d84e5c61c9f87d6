import Foundation
import Testing

@testable import VideoCache

/// A file system without shared mappings cannot hold the index of SQLite's log.
///
/// Every command ended with "disk I/O error".
@Suite("Where processes cannot share memory by files, one uses the cache alone (K12)")
struct UnsharedMemoryTests {
    private let folder = TemporaryFolder()
    private let bytes = videoBytes(200_000)

    @Test(arguments: StorageLayout.allCases)
    func aCacheIsMadeReadAndCleared(layout: StorageLayout) throws {
        try RefusedCalls.whileUnshared(folder.file("cache.sqlite-shm")) {
            let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
            #expect(store.refusal == nil)
            try store.save(bytes, inChunksOf: 50_000, of: store.anyVideo("a", length: 200_000))
            try store.close()
            let look = try VideoCache(folder: folder.path, access: .readOnly)
            #expect(try look.exported("a") == bytes)
            try look.close()
            try VideoCache.clear("a", inFolder: folder.path)
        }
        let cache = try VideoCache(folder: folder.path)
        #expect(try cache.videos().isEmpty)
        try cache.close()
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    @Test(arguments: StorageLayout.allCases)
    func whatAKillLeftGoesOn(layout: StorageLayout) throws {
        let (living, killed) = (folder.file("living"), folder.file("killed"))
        let store = try SQLiteChunkStore(folder: living, layout: layout)
        let video = try store.anyVideo("a", length: 200_000)
        try store.save(Array(bytes[..<100_000]), at: 0, of: video)
        try FileManager.default.copyItem(atPath: living, toPath: killed)
        try store.close()
        try RefusedCalls.whileUnshared(killed + "/cache.sqlite-shm") {
            let look = try VideoCache(folder: killed, access: .readOnly)
            #expect(try look.totalCachedBytes() == 100_000)
            try look.close()
            let again = try SQLiteChunkStore(folder: killed)
            let kept = try #require(try again.video(url: "a"))
            try again.save(Array(bytes[100_000...]), at: 100_000, of: kept)
            #expect(try VideoCache(store: again).exported("a") == bytes)
            try again.close()
        }
        #expect(try CacheAudit(folder: killed).complaints == [])
    }
}
