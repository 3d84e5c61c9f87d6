import Foundation
import Testing

@testable import VideoCache

/// A cache was removed under a proxy, and another one began in its place.
///
/// The proxy's database was the removed one, but its files were found by their names: its eviction
/// removed the new cache's.
@Suite("A cache that was removed while it was open touches nothing of the one in its place (K13)")
struct RemovedCacheTests {
    private let folder = TemporaryFolder()
    private let bytes = videoBytes(200_000)

    private var place: String { folder.file("cache") }

    private func open(_ layout: StorageLayout) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(folder: place, layout: layout, capacity: 300_000)
    }

    private func expectMoved(_ store: SQLiteChunkStore, _ body: () throws -> Void) {
        #expect(throws: CacheError.moved(path: store.path), performing: body)
    }

    enum Removal: CaseIterable {
        case folder, database, renamed

        func callAsFunction(_ place: String) throws {
            let files = FileManager.default
            switch self {
            case .folder: try files.removeItem(atPath: place)
            case .renamed: try files.moveItem(atPath: place, toPath: place + "-old")
            case .database:
                for suffix in ["", "-wal", "-shm"] {
                    try files.removeItem(atPath: "\(place)/cache.sqlite\(suffix)")
                }
            }
        }
    }

    @Test(arguments: StorageLayout.allCases, Removal.allCases)
    func theNewCacheKeepsItsBytes(layout: StorageLayout, removal: Removal) throws {
        let old = try open(layout)
        let video = try old.anyVideo("old", length: 200_000)
        try old.save(bytes, at: 0, of: video)
        try removal(place)
        let new = try open(layout)
        let other = try new.anyVideo("new", length: 200_000)
        let otherBytes = videoBytes(200_000, seed: 2)
        try new.save(otherBytes, at: 0, of: other)
        // Each of these writes, or removes the first video's file.
        expectMoved(old) { try old.save(bytes, at: 0, of: video) }
        expectMoved(old) { try old.save(bytes, at: 300_000, of: video) }
        expectMoved(old) { _ = try old.anyVideo("third") }
        expectMoved(old) { try old.remove(video) }
        expectMoved(old) { try old.removeAll() }
        expectMoved(old) { try old.dropDamaged(in: video.information.whole, of: video) }
        // What it had is gone, and plays from the network as what was never cached.
        #expect(try old.video(url: "old") == nil)
        #expect(try old.cachedRange(of: video, from: 0) == nil)
        try? old.close()
        #expect(try VideoCache(store: new).beginning(of: "new") == otherBytes)
        try new.close()
        #expect(try CacheAudit(folder: place).complaints == [])
        #expect(try VideoCache(folder: place).beginning(of: "new") == otherBytes)
    }

    @Test(arguments: StorageLayout.allCases)
    func withoutANewCacheNothingIsMade(layout: StorageLayout) throws {
        let old = try open(layout)
        let video = try old.anyVideo("old", length: 200_000)
        try old.save(bytes, at: 0, of: video)
        try FileManager.default.removeItem(atPath: place)
        expectMoved(old) { try old.save(bytes, at: 200_000, of: video) }
        try? old.close()
        #expect(!FileManager.default.fileExists(atPath: place))
        #expect(CacheError.moved(path: "p").description.contains("start again"))
    }
}

extension ContentInformation {
    fileprivate var whole: ByteRange { ByteRange(offset: 0, length: length ?? 0) }
}
