internal import Foundation

/// A rollback journal that a power cut has left beside an SQLite database.
///
/// SQLite must roll it back before it can read a byte, and cannot do that without writing. The copy
/// that an autopsy reads is evidence and must not change, so the rollback happens on a second copy.
enum HotJournal {
    /// The database to open: the given one, or, where a journal lies beside it, a writable copy.
    static func settled(_ path: String) throws -> (path: String, mayWrite: Bool) {
        let files = FileManager.default
        guard files.fileExists(atPath: "\(path)-journal") else { return (path, false) }
        let name = (path as NSString).lastPathComponent
        let folder = path.parentFolder + "-rolled-back"
        try? files.removeItem(atPath: folder)
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for suffix in ["", "-journal", "-wal"] where files.fileExists(atPath: path + suffix) {
            try FileCopy.copy(from: path + suffix, to: "\(folder)/\(name)\(suffix)")
        }
        return ("\(folder)/\(name)", true)
    }
}
