import Foundation
import TestSupport
import Testing

@testable import VideoCache

/// On a full disk nothing worked after a clean close.
///
/// SQLite had no room for its WAL index. The one command that makes room, `clear`, failed as well,
/// because a deletion is a commit.
///
/// A program that another test is starting has the descriptors of this process until its first
/// instruction, so the room of a removed file comes a moment later.
@Suite(
    "A full disk keeps nothing from being read or removed (K12)",
    .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct FullDiskTests {
    private static let megabyte = 1 << 20

    enum End: CaseIterable {
        case closed, killed
    }

    struct Case: CustomTestStringConvertible {
        var kind: SmallDisk.Kind
        var layout: StorageLayout
        var end: End

        var testDescription: String { "\(kind), \(layout), \(end)" }

        static let all = SmallDisk.Kind.allCases.flatMap { kind in
            StorageLayout.allCases.flatMap { layout in
                End.allCases.map { Case(kind: kind, layout: layout, end: $0) }
            }
        }
    }

    private let bytes = videoBytes(2 << 20)

    /// A cache with videos of 2 MB on a disk that has no room left.
    private func full(_ what: Case, videos: [String]) throws -> (SmallDisk, folder: String) {
        let disk = try SmallDisk(what.kind, megabytes: 24)
        let folder = disk.path + "/cache"
        // The process is "killed" by a copy of its files, while it goes on elsewhere.
        let place = what.end == .closed ? folder : disk.path + "/living"
        let store = try SQLiteChunkStore(folder: place, layout: what.layout)
        for url in videos {
            let video = try store.anyVideo(url, length: Int64(bytes.count))
            try store.save(bytes, inChunksOf: 512 << 10, of: video)
        }
        let room = disk.freeBytes
        if what.end == .killed { try FileManager.default.copyItem(atPath: place, toPath: folder) }
        try store.close()
        if what.end == .killed {
            try FileManager.default.removeItem(atPath: place)
            try blockUntil("there is room") { disk.freeBytes > room - Int64(Self.megabyte) }
        }
        try disk.fill()
        return (disk, folder)
    }

    @Test(arguments: Case.all)
    func isReadAndExported(what: Case) throws {
        let (disk, folder) = try full(what, videos: ["a", "b"])
        let before = try FileManager.default.contentsOfDirectory(atPath: folder)
        for access in [CacheAccess.readOnly, .existing, .readWrite] {
            let cache = try VideoCache(folder: folder, access: access)
            #expect(try cache.totalCachedBytes() == Int64(2 * bytes.count))
            #expect(try cache.exported("b") == bytes)
            #expect(try cache.served(ByteRange(offset: 7, length: 99), of: "a").bytes.count == 99)
            try cache.close()
        }
        #expect(disk.freeBytes < Int64(Self.megabyte))
        if what.end == .closed {
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == before)
        }
    }

    @Test(arguments: Case.all)
    func everythingIsCleared(what: Case) throws {
        let (disk, folder) = try full(what, videos: ["a", "b"])
        try VideoCache.clear(nil, inFolder: folder)
        try blockUntil("there is room") { disk.freeBytes > Int64(3 * Self.megabyte) }
        let cache = try VideoCache(folder: folder)
        #expect(try cache.videos().isEmpty)
        try cache.close()
        // A second time there is nothing to do.
        try VideoCache.clear(nil, inFolder: folder)
    }

    @Test(arguments: Case.all)
    func theOnlyVideoIsCleared(what: Case) throws {
        let (disk, folder) = try full(what, videos: ["a"])
        #expect(throws: CacheError.unknownVideo(url: "b")) {
            try VideoCache.clear("b", inFolder: folder)
        }
        try VideoCache.clear("a", inFolder: folder)
        try blockUntil("there is room") { disk.freeBytes > Int64(Self.megabyte) }
        #expect(try VideoCache(folder: folder).videos().isEmpty)
    }

    /// With rows, the bytes of several videos are in one file, which only a commit can take apart.
    @Test(arguments: Case.all.filter { $0.layout == .file })
    func oneOfTwoVideosIsCleared(what: Case) throws {
        let (disk, folder) = try full(what, videos: ["a", "b"])
        try VideoCache.clear("a", inFolder: folder)
        try blockUntil("there is room") { disk.freeBytes > Int64(Self.megabyte) }
        let store = try SQLiteChunkStore(folder: folder)
        #expect(try store.videos().map(\.url) == ["b"])
        #expect(try store.isVerified(), "the other video's rows are trusted as before")
        #expect(try VideoCache(store: store).beginning(of: "b") == bytes)
        #expect(try CacheAudit(folder: folder).complaints == [])
    }

    /// A disk without an inode for another file was told as one that may not be written.
    ///
    /// `clear` ended with 73, and advised other permissions.
    @Test(arguments: StorageLayout.allCases, [nil, "a"] as [String?])
    func aDiskThatTakesNoFileIsCleared(layout: StorageLayout, url: String?) throws {
        let disk = try SmallDisk(.ext4, megabytes: 24)
        let folder = disk.path + "/cache"
        let store = try SQLiteChunkStore(folder: folder, layout: layout)
        try store.save(bytes, at: 0, of: store.anyVideo("a", length: Int64(bytes.count)))
        try store.close()
        try disk.fillWithFiles()
        let look = try SQLiteChunkStore(folder: folder)
        #expect(look.refusal == .diskFull(path: look.path))
        #expect(try look.cachedBytes() == Int64(bytes.count))
        try look.close()
        let before = disk.freeBytes
        try VideoCache.clear(url, inFolder: folder)
        try blockUntil("there is room") { disk.freeBytes > before + Int64(Self.megabyte) }
        try FileManager.default.removeItem(atPath: disk.path + "/files")
        #expect(try VideoCache(folder: folder).videos().isEmpty)
    }

    /// Filled up while a player plays: what was open to be written still is, once there is room.
    @Test(arguments: StorageLayout.allCases)
    func savingGoesOnWhenThereIsRoom(layout: StorageLayout) throws {
        let disk = try SmallDisk(.tmpfs, megabytes: 16)
        let store = try SQLiteChunkStore(folder: disk.path + "/cache", layout: layout)
        let video = try store.anyVideo("a", length: Int64(bytes.count))
        try store.save(Array(bytes[..<1000]), at: 0, of: video)
        try disk.fill()
        #expect(throws: CacheError.diskFull(path: store.path)) {
            for offset in stride(from: 1000, to: bytes.count, by: 400_000) {
                let end = min(bytes.count, offset + 400_000)
                try rethrowing(at: store.path) {
                    try store.save(Array(bytes[offset..<end]), at: Int64(offset), of: video)
                }
            }
        }
        try disk.makeRoom()
        try store.save(Array(bytes[1000...]), at: 1000, of: video)
        #expect(try VideoCache(store: store).beginning(of: "a") == bytes)
    }

    /// A proxy that was started on a full disk plays on; it must not have to be started again.
    @Test(arguments: StorageLayout.allCases, ["full", "read only"])
    func whatWasOpenedToBeReadIsWrittenWhenItCanBe(layout: StorageLayout, state: String) throws {
        let (disk, folder) = try full(
            Case(kind: .tmpfs, layout: layout, end: .closed), videos: ["a"])
        if state == "read only" { try disk.remount("ro") }
        let store = try SQLiteChunkStore(folder: folder)
        #expect(store.refusal != nil)
        #expect(throws: CacheError.self) { try store.anyVideo("b", length: 1000) }
        if state == "read only" { try disk.remount("rw") }
        try disk.makeRoom()
        let video = try store.anyVideo("b", length: 1000)
        try store.save(Array(bytes[..<1000]), at: 0, of: video)
        #expect(store.refusal == nil)
        let cache = VideoCache(store: store)
        #expect(try cache.totalCachedBytes() == Int64(bytes.count) + 1000)
        try cache.close()
        #expect(try CacheAudit(folder: folder).complaints == [])
    }

    /// The full disk is found by the write of the bytes or by the commit.
    private func rethrowing(at path: String, _ body: () throws -> Int64) throws {
        do { _ = try body() } catch CacheError.diskFull { throw CacheError.diskFull(path: path) }
    }
}

/// `clear` on a full disk cuts the files before it commits, so a kill in between leaves rows without
/// bytes.
@Suite("A kill between the bytes and the rows of what is cleared is noticed (K12, B5)")
struct KilledWhileClearingTests {
    private struct Killed: Error {}

    @Test(arguments: [Durability.process, .power])
    func whatLostItsBytesIsGoneAfterTheLaunch(durability: Durability) throws {
        let folder = TemporaryFolder()
        let bytes = videoBytes(300_000)
        let store = try SQLiteChunkStore(folder: folder.path, durability: durability)
        let videos = try ["a", "b"].map { try store.anyVideo($0, length: 300_000) }
        for video in videos { try store.save(bytes, at: 0, of: video) }
        store.flushPending()
        #expect(throws: CacheError.self) {
            try store.change { change in
                try change.freeAtOnce(videos: [videos[0].id])
                throw Killed()
            }
        }
        #expect(try !store.isVerified())
        let relaunched = try SQLiteChunkStore(folder: folder.path)
        let cache = VideoCache(store: relaunched)
        #expect(try cache.cachedBytes(of: "a") == 0)
        #expect(try cache.served(ByteRange(offset: 0, length: 300_000), of: "b").bytes == bytes)
        #expect(try relaunched.isVerified())
        #expect(try CacheAudit(folder: folder.path).complaints == [])
    }
}
