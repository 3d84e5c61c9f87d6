import Foundation
import GRDB
import Testing

@testable import VideoCache

@Suite("Bytes in a file per video (B5, C5)")
struct FileStorageTests {
    let folder = TemporaryFolder()
    let store: SQLiteChunkStore
    let video: CachedVideo
    let bytes = videoBytes(30_000)
    let url = "http://127.0.0.1/v"

    /// Three chunks of 10,000 bytes.
    init() throws {
        store = try SQLiteChunkStore(folder: folder.path, durability: .power, layout: .file)
        video = try store.anyVideo(url, length: 30_000)
        try store.save(bytes, inChunksOf: 10_000, of: video)
    }

    private var file: String { folder.file("data/\(video.id)") }

    @Test("other programs find the bytes where the index says")
    func layout() throws {
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: file))) == bytes)
        let columns = try store.access {
            try String.fetchAll($0, sql: "SELECT name FROM pragma_table_info('chunk')")
        }
        #expect(columns == ["video_id", "offset", "length", "checksum"])
        #expect(store.diskBytes >= 30_000)
        try store.close()
        let look = try SQLiteChunkStore(folder: folder.path, access: .readOnly)
        #expect(look.layout == .file)
        #expect(try VideoCache(store: look).beginning(of: url) == bytes)
    }

    @Test(
        "bytes that the disk has changed or lost are never served, and come anew",
        arguments: ["flipped", "cut", "gone"])
    func damaged(how: String) throws {
        switch how {
        case "flipped": try OpenFile.damage(file, at: 15_000)
        case "cut":
            try DataFolder(path: folder.file("data")).free(
                ByteRange(from: 15_000, to: 30_000), of: video.id)
        default: try FileManager.default.removeItem(atPath: file)
        }
        let cache = VideoCache(store: store)
        let whole = ByteRange(offset: 0, length: 30_000)
        var damaged: [ByteRange] = []
        var found: [Int64] = []
        damaged = try cache.readParts(in: whole, of: url) { offset, part in
            #expect(part.elementsEqual(bytes[Int(offset)..<Int(offset) + part.count]))
            found.append(offset)
        }
        let expected: [Int64] = how == "flipped" ? [0, 20_000] : how == "cut" ? [0] : []
        #expect(found == expected)
        #expect(damaged.count == 3 - expected.count)
        #expect(throws: CacheError.damaged(url: url, dropped: ByteRangeSet(damaged).ranges)) {
            try cache.export(url, to: folder.file("out.mp4"))
        }
        try store.save(bytes, at: 0, of: video)
        #expect(try cache.exported(url) == bytes)
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    /// Runs an action after each lookup in the index, as another process may.
    private struct Meanwhile: IndexAccess {
        let store: SQLiteChunkStore
        var before: () throws -> Void = {}
        let act: () throws -> Void

        func access<Value>(_ body: (Database) throws -> Value) throws(CacheError) -> Value {
            do { try before() } catch { throw .unknownVideo(url: "\(error)") }
            let value = try store.access(body)
            do { try act() } catch { throw .unknownVideo(url: "\(error)") }
            return value
        }
    }

    /// The storage below the store, with an index that the test provides.
    private func storageAlone() throws -> FileStorage {
        try FileStorage(
            folder: folder.path, access: .existing, durability: .process, system: .ofThisMachine)
    }

    @Test("a chunk that is evicted between the look and the read was absent, not damaged (C5)")
    func evictedInMidRead() throws {
        let storage = try storageAlone()
        let other = try SQLiteChunkStore(folder: folder.path)
        var looks = 0
        let gone = Meanwhile(store: store) {
            looks += 1
            if looks == 1 { try other.discard(ByteRange(offset: 0, length: 1), of: video) }
        }
        let next = try #require(try storage.chunk(video.id, from: 0, index: gone))
        #expect(next.range.offset == 10_000 && next.bytes == Array(bytes[10_000..<20_000]))
        // The chunk is evicted, and then saved again with the same bytes.
        looks = 0
        let back = Meanwhile(store: store) {
            looks += 1
            if looks == 1 { try other.discard(ByteRange(offset: 10_000, length: 1), of: video) }
            if looks == 2 { try other.save(bytes, at: 0, of: video) }
        }
        let found = try #require(try storage.chunk(video.id, from: 10_000, index: back))
        #expect(found.bytes == Array(bytes[20_000...]) && looks == 2)
        #expect(try storage.chunk(video.id, from: 0, index: store)?.bytes != nil)
    }

    /// A chunk used to count as damaged if it was evicted before each of two reads but there at
    /// both looks.
    @Test("a chunk that goes and comes back with every look is not damaged (C5)")
    func goesAndComesBack() throws {
        let storage = try storageAlone()
        let other = try SQLiteChunkStore(folder: folder.path)
        let place = ByteRange(offset: 10_000, length: 1)
        var looks = 0
        let index = Meanwhile(store: store) {
            // The index counts it as cached; if it is gone, it is saved again.
            _ = try other.save(bytes, at: 0, of: video)
        } act: {
            looks += 1
            if looks <= 2 { try other.discard(place, of: video) }
        }
        let found = try #require(try storage.chunk(video.id, from: 10_000, index: index))
        #expect(found.range.offset == 10_000 && found.bytes == Array(bytes[10_000..<20_000]))
        #expect(looks == 3)
    }

    @Test("the bytes of a committed chunk are never written over")
    func neverOverwritten() throws {
        let other = [UInt8](repeating: 7, count: 30_000)
        #expect(try store.save(other, at: 0, of: video) == 0)
        try store.discard(ByteRange(offset: 10_000, length: 1), of: video)
        #expect(try store.save(Array(other[5000...]), at: 5000, of: video) == 10_000)
        let file = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        #expect(Array(file[..<10_000]) == Array(bytes[..<10_000]))
        #expect(Array(file[20_000..<30_000]) == Array(bytes[20_000...]))
        // Not even if the damaged index does not count a chunk as cached: saving repairs the index.
        try store.access { try $0.execute(sql: "DELETE FROM cached_range") }
        #expect(try store.save(other, at: 0, of: video) == 0)
        let after = try [UInt8](Data(contentsOf: URL(fileURLWithPath: self.file)))
        #expect(Array(after.prefix(10_000)) == Array(bytes[..<10_000]))
        #expect(after.count == 30_000)
    }

    @Test("another version has a file of its own, and the old one is gone")
    func replaced() throws {
        let facts = ContentInformation(length: 5, acceptsRanges: true, etag: "\"2\"")
        let new = try store.replace(video, with: facts, bytes: bytes).video
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("data")).sorted()
                == ["\(new.id)", "journal"])
        #expect(throws: CacheError.replaced(url: url)) { try store.save([1], at: 0, of: video) }
        try store.removeAll()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.file("data")) == ["journal"])
    }

    @Test("two chunks that share a block leave none behind when both are evicted")
    func sharedBlocks() throws {
        let small = try store.anyVideo("small")
        for offset in stride(from: Int64(0), to: 8000, by: 500) {
            try store.save(Array(bytes[..<500]), at: offset, of: small)
        }
        for offset in stride(from: Int64(500), to: 7500, by: 500) {
            try store.discard(ByteRange(offset: offset, length: 1), of: small)
        }
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    /// An error while the files were listed counted as "no files".
    ///
    /// So a launch without a valid record freed nothing, and logged that no byte was in doubt: what
    /// a killed process had left stayed on disk until the first launch after a reboot.
    @Test("a launch that cannot list the files says so, and leaves it to the next one")
    func unlistable() throws {
        try store.close()
        let (data, aside) = (folder.file("data"), folder.file("aside"))
        try Data("torn".utf8).write(to: URL(fileURLWithPath: data + "/journal"))
        #expect(FileManager.default.createFile(atPath: data + "/77", contents: Data([1])))
        var system = FileSystem.ofThisMachine
        // Asked when the log has been opened; from then on the folder's name leads nowhere.
        system.mounted = { file in
            let files = FileManager.default
            try? files.moveItem(atPath: data, toPath: aside)
            try? files.createSymbolicLink(atPath: data, withDestinationPath: data)
            return file.mounted()
        }
        #expect(throws: CacheError.self) {
            try SQLiteChunkStore(folder: folder.path, access: .existing, system: system)
        }
        try FileManager.default.removeItem(atPath: data)
        try FileManager.default.moveItem(atPath: aside, toPath: data)
        try SQLiteChunkStore(folder: folder.path).close()
        #expect(!FileManager.default.fileExists(atPath: data + "/77"))
    }

    @Test("the files of a folder that is missing are none, and of one that cannot be read unknown")
    func videosThatCannotBeListed() throws {
        #expect(try DataFolder(path: folder.file("data")).videos() == [video.id])
        #expect(try DataFolder(path: folder.file("absent")).videos() == [])
        #expect(throws: CacheError.self) {
            try DataFolder(path: folder.file("cache.sqlite")).videos()
        }
    }

    @Test("a full disk: the save fails by name, and what was saved stays (B5)")
    func diskFull() throws {
        let error = #expect(throws: CacheError.self) {
            // No file system has room for a byte at this offset.
            try store.save([1], at: Int64.max - 10, of: video)
        }
        #expect(error == .diskFull(path: file) || error.map { "\($0)".contains(file) } == true)
        #expect(try CacheAudit(folder: folder.path).complaints == [])
        #expect(try store.save([1], at: 40_000, of: video) == 1)
    }

    @Test("the layout is the cache's own; asking for the other one says what to do")
    func otherLayout() throws {
        try store.close()
        let error = CacheError.otherStorage(path: store.path, found: .file)
        #expect(throws: error) { try SQLiteChunkStore(folder: folder.path, layout: .rows) }
        #expect(error.description.contains("--storage file"))
        #expect(try SQLiteChunkStore(folder: folder.path).layout == .file)
        let rows = TemporaryFolder()
        try SQLiteChunkStore(folder: rows.path, layout: .rows).close()
        #expect(throws: CacheError.otherStorage(path: rows.file("cache.sqlite"), found: .rows)) {
            try SQLiteChunkStore(folder: rows.path, layout: .file)
        }
        #expect(!FileManager.default.fileExists(atPath: rows.file("data")))
    }
}

extension FileStorage {
    /// The chunk for a reader without prefetched rows.
    fileprivate func chunk(
        _ video: Int64, from offset: Int64, index: any IndexAccess
    ) throws(CacheError) -> StoredChunk? {
        var ahead = ChunksAhead()
        return try chunk(ofVideo: video, from: offset, index: index, ahead: &ahead)
    }
}
