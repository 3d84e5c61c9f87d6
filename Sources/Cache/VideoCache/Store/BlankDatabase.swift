internal import Foundation

/// A database that a power cut has left with its length, but filled with zeros.
///
/// With durability `process` a new database is created without a sync, and a file's length may
/// reach the disk before its data. Nothing in such a file was ever durable: if a committed page
/// were in its WAL, SQLite would read it from there.
enum BlankDatabase {
    private static let sectorSize = 512
    /// Empties a file that begins with a sector of zeros, so that the database is created again; false
    /// if it contains data, or if another process has it open.
    static func empty(_ path: String) -> Bool {
        guard let file = try? OpenFile.ifThere(path, O_RDWR) else { return false }
        // If another process came first, its header is already there.
        guard OwnFolder.lock(file),
            let start = try? file.read(ByteRange(offset: 0, length: Int64(sectorSize))),
            start.allSatisfy({ $0 == 0 })
        else { return false }
        return (try? file.truncate(to: 0)) != nil
    }
}
