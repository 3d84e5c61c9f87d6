import Foundation
import GRDB
import Glibc
import TestSupport
import Testing

@testable import VideoCache

/// A look at a cache left a WAL and its index there.
///
/// Those of another user locked the cache's owner out. On a disk that can only be read they could not
/// be made, and nothing could be read.
@Suite("A look at a cache leaves no file behind (K12)")
struct ObservingTests {
    private let folder = TemporaryFolder()
    private let bytes = videoBytes(100_000)

    private func filled(_ layout: StorageLayout, _ name: String) throws -> SQLiteChunkStore {
        let store = try SQLiteChunkStore(folder: folder.file(name), layout: layout)
        try store.save(bytes, at: 0, of: store.anyVideo("v", length: 100_000))
        return store
    }

    private func names(_ name: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.file(name)).sorted()
    }

    @Test(
        arguments: StorageLayout.allCases,
        ["closed", "killed", "killed, copied without the WAL index", "in use"])
    func aLookLeavesNothing(layout: StorageLayout, state: String) throws {
        let store = try filled(layout, "a b?c%20#d")
        var name = "a b?c%20#d"
        if state == "closed" { try store.close() }
        if state.hasPrefix("killed") {
            name = "copy"
            try FileManager.default.copyItem(
                atPath: folder.file("a b?c%20#d"), toPath: folder.file(name))
            if state.hasSuffix("index") {
                try FileManager.default.removeItem(atPath: folder.file("copy/cache.sqlite-shm"))
            }
        }
        let (before, database) = (try names(name), folder.file(name + "/cache.sqlite"))
        let content = FileManager.default.contents(atPath: database)
        let cache = try VideoCache(folder: folder.file(name), access: .readOnly)
        #expect(try cache.served(ByteRange(offset: 0, length: 100_000), of: "v").bytes == bytes)
        #expect(throws: CacheError.readOnly(path: database)) { try cache.clear("v") }
        try cache.close()
        #expect(try names(name) == before)
        #expect(FileManager.default.contents(atPath: database) == content)
    }

    /// Without a WAL nothing locks what is observed, so it is looked at again.
    @Test(arguments: StorageLayout.allCases)
    func whatChangesMeanwhileIsSeen(layout: StorageLayout) throws {
        try filled(layout, "cache").close()
        let look = try SQLiteChunkStore(folder: folder.file("cache"), access: .readOnly)
        #expect(try look.videos().map(\.url) == ["v"])
        let writer = try SQLiteChunkStore(folder: folder.file("cache"))
        let second = try writer.anyVideo("second", length: 100_000)
        try writer.save(bytes, at: 0, of: second)
        #expect(try look.videos().map(\.url) == ["v", "second"])
        try writer.removeAll()
        try writer.close()
        #expect(try look.videos().isEmpty)
    }

    /// A look at a database that was being made removed the WAL of its writer.
    ///
    /// When the writer was killed, all that it had saved was gone.
    @Test(arguments: ["just made", "with the beginning of a WAL"])
    func aLookLeavesTheLogOfAWriter(state: String) throws {
        let isMade = state != "just made"
        if isMade { try filled(.rows, "writer").close() }
        try FileManager.default.createDirectory(
            atPath: folder.file("writer"), withIntermediateDirectories: true)
        let writer = try DatabaseQueue(path: folder.file("writer/cache.sqlite"))
        try writer.writeWithoutTransaction { db in
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            _ = try Row.fetchAll(db, sql: "SELECT * FROM sqlite_schema")
        }
        // A copy, because connections of one process share the WAL index whatever becomes of it.
        try FileManager.default.copyItem(atPath: folder.file("writer"), toPath: folder.file("copy"))
        try writer.close()
        if isMade {
            try FileManager.default.removeItem(atPath: folder.file("copy/cache.sqlite-shm"))
            let log = folder.file("copy/cache.sqlite-wal")
            try #require(FileManager.default.createFile(atPath: log, contents: Data(bytes)))
        }
        let before = try names("copy")
        let look = try? VideoCache(folder: folder.file("copy"), access: .readOnly)
        #expect((look != nil) == isMade)
        try look?.close()
        #expect(before.contains("cache.sqlite-wal"))
        #expect(try names("copy") == before)
    }

    @Test(
        .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"),
        arguments: StorageLayout.allCases, [true, false])
    func aDiskThatCanOnlyBeRead(layout: StorageLayout, isClosed: Bool) throws {
        let disk = try SmallDisk(.tmpfs, megabytes: 8)
        let store = try filled(layout, "cache")
        if isClosed { try store.close() }
        let path = disk.path + "/cache"
        try FileManager.default.copyItem(atPath: folder.file("cache"), toPath: path)
        try disk.remount("ro")
        for access in [CacheAccess.readOnly, .existing, .readWrite] {
            let cache = try VideoCache(folder: path, access: access)
            #expect(try cache.exported("v") == bytes)
            #expect(throws: CacheError.readOnly(path: path + "/cache.sqlite")) {
                try cache.clearAll()
            }
            try cache.close()
        }
    }
}
