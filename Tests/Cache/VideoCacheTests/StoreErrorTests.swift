import Foundation
import GRDB
import Glibc
import Testing

@testable import VideoCache

/// What a failure of SQLite or of a file means, and which of them leave the store as it was.
@Suite("An error of the moment is told as one, and costs nothing that is cached")
struct StoreErrorTests {
    private static let path = "/nowhere/cache.sqlite"

    @Test(
        "SQLite's codes",
        arguments: [
            (.SQLITE_BUSY, .busy(path: path)), (.SQLITE_BUSY_SNAPSHOT, .busy(path: path)),
            (.SQLITE_BUSY_RECOVERY, .busy(path: path)), (.SQLITE_LOCKED, .busy(path: path)),
            (.SQLITE_FULL, .diskFull(path: path)),
            (.SQLITE_IOERR_SHMSIZE, .diskFull(path: path)),
            (.SQLITE_READONLY, .readOnly(path: path)), (.SQLITE_PERM, .readOnly(path: path)),
            (.SQLITE_NOTADB, .notACache(path: path, reason: "no database")),
            (.SQLITE_CORRUPT, .notACache(path: path, reason: "a damaged database")),
            (.SQLITE_CONSTRAINT, .notACache(path: path, reason: "a damaged database")),
            (.SQLITE_IOERR, .inputOutput(path: path, reason: "why")),
            (.SQLITE_IOERR_READ, .inputOutput(path: path, reason: "why")),
            (.SQLITE_NOMEM, .inputOutput(path: path, reason: "why")),
            (.SQLITE_CANTOPEN, .inputOutput(path: path, reason: "why")),
        ] as [(ResultCode, CacheError)])
    func codes(code: ResultCode, error: CacheError) {
        let found = SQLiteChunkStore.cacheError(
            DatabaseError(resultCode: code, message: "why"), path: Self.path)
        #expect(found == error)
        // An error of the cache stays what it is.
        #expect(SQLiteChunkStore.cacheError(found, path: "/elsewhere") == error)
    }

    @Test(
        "codes of files",
        arguments: [
            (ENOSPC, .diskFull(path: path)), (EDQUOT, .diskFull(path: path)),
            (EFBIG, .fileTooLarge(path: path)), (EROFS, .readOnly(path: path)),
            (EACCES, .readOnly(path: path)), (EPERM, .readOnly(path: path)),
            (EIO, .inputOutput(path: path, reason: "Input/output error", code: EIO)),
            (EINTR, .inputOutput(path: path, reason: "Interrupted system call", code: EINTR)),
        ] as [(Int32, CacheError)])
    func files(code: Int32, error: CacheError) {
        #expect(OpenFile.failure(Self.path, code) == error)
    }

    @Test("too few descriptors are no fault of the disk", arguments: [EMFILE, ENFILE])
    func descriptors(code: Int32) {
        let text = OpenFile.failure(Self.path, code).description
        #expect(text.contains("ulimit -n") && !text.contains("check the disk"), "\(text)")
    }

    // MARK: another connection has the lock

    private let folder = TemporaryFolder()
    private let bytes = videoBytes(30_000)

    private func whileLocked(_ body: () throws -> Void) throws {
        let other = try DatabaseQueue(path: folder.file(SQLiteSchema.fileName))
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE; UPDATE chunk_total SET bytes = bytes")
            defer { try? db.execute(sql: "ROLLBACK") }
            try body()
        }
        try other.close()
    }

    /// A store that does not wait for a lock.
    private func store(_ layout: StorageLayout, capacity: Int64? = nil) throws -> SQLiteChunkStore {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: capacity)
        try store.access { try $0.execute(sql: "PRAGMA busy_timeout = 0") }
        return store
    }

    @Test("a save that has to wait for too long can be repeated", arguments: StorageLayout.allCases)
    func busySave(layout: StorageLayout) throws {
        let store = try store(layout)
        let video = try store.anyVideo("v", length: 30_000)
        try store.save(Array(bytes[..<10_000]), at: 0, of: video)
        let busy = CacheError.busy(path: store.path)
        try whileLocked {
            for _ in 0..<2 {
                #expect(throws: busy) {
                    try store.save(Array(bytes[10_000..<20_000]), at: 10_000, of: video)
                }
            }
            #expect(throws: busy) { try store.anyVideo("other") }
            #expect(throws: busy) { try store.discard(ByteRange(from: 0, to: 1), of: video) }
            #expect(throws: busy) { try store.remove(video) }
            // What is cached can be read meanwhile.
            let ranges = try store.ranges(of: video).ranges
            #expect(ranges == [ByteRange(from: 0, to: 10_000)])
            var ahead = ChunksAhead()
            let chunk = try store.chunk(of: video, from: 0, ahead: &ahead)
            #expect(chunk?.bytes == Array(bytes[..<10_000]))
        }
        try store.save(Array(bytes[10_000...]), at: 10_000, of: video)
        #expect(try VideoCache(store: store).beginning(of: "v") == bytes)
        #expect(try store.videos().map(\.url) == ["v"])
        try store.close()
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }

    @Test("the order of use waits for the next save", arguments: StorageLayout.allCases)
    func busyUses(layout: StorageLayout) throws {
        let store = try store(layout, capacity: 20_000)
        for url in ["a", "b"] {
            try store.save(Array(bytes[..<10_000]), at: 0, of: store.anyVideo(url))
        }
        store.noteUse(of: ByteRange(from: 0, to: 10_000), in: try store.anyVideo("a"))
        let other = try store.anyVideo("c")
        try whileLocked {
            #expect(throws: CacheError.busy(path: store.path)) {
                try store.save(Array(bytes[..<10_000]), at: 0, of: other)
            }
            #expect(throws: CacheError.busy(path: store.path)) {
                try store.makeRoom(for: [ByteRange(from: 0, to: 10_000)], of: other)
            }
        }
        try store.save(Array(bytes[..<10_000]), at: 0, of: other)
        #expect(try store.held() == ["a", "c"])
    }

    /// What is in the WAL is safe, so a checkpoint that has to wait is left to later.
    @Test("a checkpoint that has to wait is no error", arguments: StorageLayout.allCases)
    func busyCheckpoint(layout: StorageLayout) throws {
        let store = try store(layout)
        let video = try store.anyVideo("v", length: 30_000)
        try store.save(bytes, at: 0, of: video)
        try whileLocked { #expect(throws: Never.self) { try store.checkpoint() } }
        try store.checkpoint()
        #expect(try store.ranges(of: video).ranges == [ByteRange(from: 0, to: 30_000)])
    }

    @Test("reading and writing again after an interruption gives all bytes")
    func wholeFiles() throws {
        let file = try OpenFile(folder.file("f"), O_RDWR | O_CREAT)
        try bytes.withUnsafeBytes { try file.write($0, at: 7) }
        #expect(try file.read(ByteRange(offset: 7, length: 30_000)) == bytes)
        #expect(try file.read(ByteRange(offset: 8, length: 30_000)) == nil, "it ends before")
    }
}
