import Foundation
import Testing

@testable import VideoCache

/// A power cut while a cache was young: the database's length had reached the disk, its data had
/// not.
///
/// That launch and every later one said that the file was not a database, until a user removed it
/// by hand. A cache that promises nothing under a power cut must still work after one.
@Suite struct BlankDatabaseTests {
    private let folder = TemporaryFolder()

    private func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    @Test(arguments: [512, 4096, 16384, 40960], [StorageLayout.rows, .file])
    func isCreatedAnew(size: Int, layout: StorageLayout) throws {
        try write([UInt8](repeating: 0, count: size), to: "cache.sqlite")
        // The remains of a WAL that lost its first sectors.
        try write([UInt8](repeating: 7, count: 5000), to: "cache.sqlite-wal")
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo()
        let bytes = videoBytes(1000)
        try store.save(bytes, at: 0, of: video)
        try store.close()
        let again = try VideoCache(folder: folder.path)
        #expect(try again.served(ByteRange(offset: 0, length: 1000)).bytes == bytes)
        try again.close()
    }

    /// A single non-zero byte may belong to another program's file.
    @Test func whatHoldsAByteIsLeftAlone() throws {
        var bytes = [UInt8](repeating: 0, count: 4096)
        bytes[511] = 1
        try write(bytes, to: "cache.sqlite")
        #expect(throws: CacheError.self) { try SQLiteChunkStore(folder: folder.path) }
        #expect(FileManager.default.contents(atPath: folder.file("cache.sqlite")) == Data(bytes))
    }

    /// A reader changes nothing, not even a blank database.
    @Test(arguments: [CacheAccess.readOnly, .existing])
    func aReaderLeavesItAlone(access: CacheAccess) throws {
        let bytes = [UInt8](repeating: 0, count: 4096)
        try write(bytes, to: "cache.sqlite")
        #expect(throws: CacheError.self) {
            try SQLiteChunkStore(folder: folder.path, access: access)
        }
        #expect(FileManager.default.contents(atPath: folder.file("cache.sqlite")) == Data(bytes))
    }
}
