import Foundation
import Testing

@testable import VideoCache

/// A power cut while a checkpoint copies SQLite's log into the database.
@Suite("A checkpoint that a power cut has torn takes nothing that was committed (B5, K14)")
struct TornCheckpointTests {
    /// Each sector of the database is the old or the new one, and the log is whole.
    ///
    /// A page whose beginning was new and whose rest was old showed a row of long ago, with a
    /// generation older than the log's base. The database counted as an older one that had been
    /// restored, and the log, with all that had been committed since the last checkpoint, was removed:
    /// one of 224 states of harness/conformance/cache-states.
    @Test(arguments: StorageLayout.allCases)
    func theLogIsKept(layout: StorageLayout) throws {
        let folder = TemporaryFolder()
        let (living, before) = (folder.file("living"), folder.file("before"))
        var store = try SQLiteChunkStore(folder: living, durability: .power, layout: layout)
        try store.save(videoBytes(3000), at: 0, of: store.anyVideo())
        try store.close()
        store = try SQLiteChunkStore(folder: living, durability: .power)
        for number in 1..<6 as Range<Int64> {
            try store.save(videoBytes(3000), at: number * 5000, of: store.anyVideo())
        }
        try FileManager.default.copyItem(atPath: living, toPath: before)
        try FileManager.default.removeItem(atPath: before + "/cache.sqlite-shm")
        try store.checkpoint()
        let new = try Data(contentsOf: URL(fileURLWithPath: living + "/cache.sqlite"))
        var old = try Data(contentsOf: URL(fileURLWithPath: before + "/cache.sqlite"))
        old.append(Data(count: new.count - old.count))
        try #require(new != old)
        try store.close()

        var generator = SeededGenerator(state: 36)
        for round in 0..<100 {
            let torn = folder.file("torn")
            try FileManager.default.copyItem(atPath: before, toPath: torn)
            var mixed = new
            for sector in stride(from: 0, to: new.count, by: 512)
            where Bool.random(using: &generator) {
                mixed.replaceSubrange(sector..<sector + 512, with: old[sector..<sector + 512])
            }
            try mixed.write(to: URL(fileURLWithPath: torn + "/cache.sqlite"))
            let relaunched = try SQLiteChunkStore(folder: torn, durability: .power)
            #expect(try relaunched.cachedBytes() == 18_000, "round \(round)")
            let complaints = try CacheAudit(folder: torn).complaints
            #expect(complaints == [], "round \(round)")
            try relaunched.close()
            try FileManager.default.removeItem(atPath: torn)
        }
    }
}
