internal import Foundation
package import GRDB

/// Room on the disk for the index of SQLite's WAL, which is mapped into memory.
///
/// SQLite makes room for it by writing one byte in every 4,096. Where the blocks of the file system
/// are smaller than that, as on most small disks, the rest is a hole. The first use of a hole on a
/// full disk ends the process by SIGBUS, so room is looked for before.
package enum LogIndexRoom {
    /// The first part of the index, which covers 4,062 pages of WAL, and a commit.
    private static let bytes: Int64 = 64 << 10

    /// Expects room for the index of a database in a folder; this process may be the first to open it.
    package static func expect(in folder: String) throws {
        guard leavesHoles(in: folder), let free = DiskReserve.freeBytes(of: folder),
            free < bytes
        else { return }
        throw DatabaseError(resultCode: .SQLITE_IOERR_SHMSIZE)
    }

    /// Takes the room for the first part of the index, where it has holes: the first page in the WAL
    /// makes SQLite write all of it, and at the first commit the disk may be full.
    package static func take(in folder: String, _ db: Database) throws {
        guard leavesHoles(in: folder) else { return }
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// True if blocks are smaller than the distance of the bytes that SQLite writes.
    private static func leavesHoles(in folder: String) -> Bool {
        var facts = statvfs()
        return statvfs(folder, &facts) == 0 && facts.f_frsize < 4096
    }
}
