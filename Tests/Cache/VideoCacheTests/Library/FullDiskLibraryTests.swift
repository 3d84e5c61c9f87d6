import Foundation
import GRDB
import TestSupport
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// The list and the images on a full disk, and in a folder that can only be read.
///
/// `library clear` removed the images of a full disk, and then failed: to delete the list is a
/// commit, for which SQLite had no room.
@Suite(
    "A full disk keeps no list from being read or removed (K12)",
    .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
struct FullDiskLibraryTests {
    private let videos = libraryVideos(5)

    /// A library with a list on a disk that has no room left.
    ///
    /// One that was killed has its list in the log, copied while the database is open.
    private func full(
        _ kind: SmallDisk.Kind, wasKilled: Bool
    ) throws -> (disk: SmallDisk, folder: String) {
        let disk = try SmallDisk(kind, megabytes: 8)
        let folder = disk.path + "/library"
        let outside = TemporaryFolder()
        let store = try SQLiteVideoStore(folder: outside.path)
        try store.replace(with: libraryVideos(2, seed: 9), timestamp: someTime - 9)
        // The tables reach the database itself.
        _ = try store.queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try store.replace(with: videos, timestamp: someTime)
        if wasKilled { try FileManager.default.copyItem(atPath: outside.path, toPath: folder) }
        try store.close()
        if !wasKilled { try FileManager.default.copyItem(atPath: outside.path, toPath: folder) }
        try disk.fill()
        return (disk, folder)
    }

    private func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test(arguments: SmallDisk.Kind.allCases, [false, true])
    func theListIsRead(kind: SmallDisk.Kind, wasKilled: Bool) throws {
        let (disk, folder) = try full(kind, wasKilled: wasKilled)
        let before = try names(folder)
        for isWritable in [true, false] {
            if !isWritable { try disk.remount("ro") }
            let store = try SQLiteVideoStore(folder: folder, access: .readOnly)
            #expect(try store.retrieve()?.videos == videos)
            try store.close()
            #expect(try names(folder) == before)
        }
    }

    @Test(arguments: SmallDisk.Kind.allCases, [false, true])
    func theListIsCleared(kind: SmallDisk.Kind, wasKilled: Bool) throws {
        let (disk, folder) = try full(kind, wasKilled: wasKilled)
        try SQLiteVideoStore.clear(inFolder: folder)
        // A second time there is nothing to do.
        try SQLiteVideoStore.clear(inFolder: folder)
        try disk.makeRoom()
        let store = try SQLiteVideoStore(folder: folder)
        #expect(try store.retrieve() == nil)
        try store.replace(with: videos, timestamp: someTime)
        #expect(try store.retrieve()?.videos == videos)
    }

    /// What is open elsewhere is not cut under its reader.
    @Test func aListInUseStays() throws {
        let (disk, folder) = try full(.tmpfs, wasKilled: true)
        defer { _ = disk.freeBytes }
        let path = folder + "/library.sqlite"
        // Another process has it locked as one does that has it open.
        let other = Process()
        other.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        other.arguments = [
            "python3", "-c",
            """
            import fcntl, sys
            f = open(sys.argv[1], "r+b")
            fcntl.lockf(f, fcntl.LOCK_SH, 510, 0x40000002)
            sys.stdout.write("locked\\n")
            sys.stdout.flush()
            sys.stdin.read()
            """, path,
        ]
        let (input, output) = (Pipe(), Pipe())
        other.standardInput = input
        other.standardOutput = output
        try other.run(within: .seconds(60))
        #expect(try output.fileHandleForReading.read(upToCount: 7) == Data("locked\n".utf8))
        #expect(throws: LibraryError.files(.busy(path: path))) {
            try SQLiteVideoStore.clear(inFolder: folder)
        }
        try input.fileHandleForWriting.close()
        other.waitUntilExit()
        let store = try SQLiteVideoStore(folder: folder, access: .readOnly)
        #expect(try store.retrieve()?.videos == videos)
    }

    @Test func anotherProgramsDatabaseStays() throws {
        let disk = try SmallDisk(.tmpfs, megabytes: 8)
        let path = disk.path + "/library.sqlite"
        try execute("CREATE TABLE notes (text)", inDatabase: path)
        try disk.fill()
        let before = FileManager.default.contents(atPath: path)
        #expect(
            performing: { try SQLiteVideoStore.clear(inFolder: disk.path) },
            throws: { if case .notALibrary = $0 as? LibraryError { true } else { false } })
        #expect(FileManager.default.contents(atPath: path) == before)
    }
}
