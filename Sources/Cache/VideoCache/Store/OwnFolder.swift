internal import Foundation
internal import GRDB

/// A folder with a cache that can neither be used nor repaired, but still be emptied.
///
/// The disk may have no room to write that the videos are gone, or the database may be damaged
/// beyond repair. Emptying needs neither room nor a sound database: the database is cut to nothing,
/// which is what a new cache begins with, and SQLite ignores the WAL of such a database.
package enum OwnFolder {
    private static let header = Array("SQLite format 3\0".utf8)
    // The bytes on which SQLite takes its locks: 1 GB into the file, beyond any page.
    private static let lockedOffset: Int64 = 0x4000_0000
    private static let lockedLength: Int64 = 512

    /// Where a cache keeps its bytes, by the files that it has.
    static func layout(_ folder: String) -> StorageLayout {
        access("\(folder)/\(FileStorage.folderName)", F_OK) == 0 ? .file : .rows
    }

    /// Empties a cache's folder, unless it may be another program's, or another process uses it.
    static func empty(_ folder: String) throws(CacheError) {
        let path = "\(folder)/\(SQLiteSchema.fileName)"
        let data = DataFolder(path: "\(folder)/\(FileStorage.folderName)")
        let journal = "\(data.path)/\(FileStorage.logName)"
        let hasJournal = IntentLog.isOne(journal)
        // Where the database is gone, an empty one is made: it carries the lock.
        guard let file = try OpenFile.ifThere(path, O_RDWR | (hasJournal ? O_CREAT : 0)) else {
            throw .absent(folder: folder)
        }
        guard isOwn(path, hasJournal: hasJournal) else {
            throw .notACache(path: path, reason: "another program's file")
        }
        guard lock(file) else { throw .busy(path: path) }
        // Without a record, the next launch examines the files that a kill leaves here.
        if hasJournal { try OpenFile.ifThere(journal, O_WRONLY)?.truncate(to: 0) }
        try cut(file, at: path)
        // A folder holds none of the cache's bytes, although it has the name of a file with them.
        for file in ((try? data.videos()) ?? []).map(data.file)
        where FileFacts(file)?.kind != S_IFDIR { try remove(file) }
    }

    /// Empties a database that is known to be a list's, unless another process has it open.
    package static func empty(database path: String) throws(CacheError) {
        guard let file = try OpenFile.ifThere(path, O_RDWR), lock(file) else {
            throw .busy(path: path)
        }
        try cut(file, at: path)
    }

    private static func cut(_ file: OpenFile, at path: String) throws(CacheError) {
        try file.truncate(to: 0)
        for suffix in ["-wal", "-shm"] { try remove(path + suffix) }
    }

    /// Removes a WAL of another database; where there is none, an empty one is made for the lock.
    static func removeLog(of path: String) throws(CacheError) {
        guard let file = try OpenFile.ifThere(path, O_RDWR | O_CREAT), lock(file) else {
            throw .busy(path: path)
        }
        for suffix in ["-wal", "-shm"] { try remove(path + suffix) }
    }

    /// Removes the empty WAL and the WAL index of an attempt to open a database that had none.
    package static func removeEmptyLog(of path: String) {
        guard let file = try? OpenFile.ifThere(path, O_RDWR), lock(file),
            (try? OpenFile.ifThere(path + "-wal", O_RDONLY))?.size == 0
        else { return }
        for suffix in ["-wal", "-shm"] { try? remove(path + suffix) }
    }

    /// Removes empty folders in the place of the database and its WAL; true if there were any.
    static func removeFolders(of path: String) -> Bool {
        ["", "-wal", "-shm"].count { rmdir(path + $0) == 0 } > 0
    }

    /// Takes the lock that only a process alone can have, until the file is closed; this process must
    /// not have the database open, for its own locks do not keep it out.
    static func lock(_ file: OpenFile) -> Bool {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(lockedOffset)
        lock.l_len = off_t(lockedLength)
        return fcntl(file.descriptor, F_SETLK, &lock) == 0
    }

    /// Removes a file, or an empty folder in its place.
    private static func remove(_ path: String) throws(CacheError) {
        guard unlink(path) != 0, errno != ENOENT, rmdir(path) != 0 else { return }
        throw .ofSystem(path, errno)
    }

    /// True if the files are certainly a cache's, whatever has happened to them.
    private static func isOwn(_ path: String, hasJournal: Bool) -> Bool {
        guard let file = try? OpenFile.ifThere(path, O_RDONLY) else { return false }
        // A database that can be read says what it is; the tables of a new one may be in its WAL.
        if let names = try? tableNames(path), !names.isEmpty {
            return !names.isDisjoint(with: SQLiteSchema.tableNames)
        }
        if hasJournal { return true }
        guard let head = try? file.read(ByteRange(offset: 0, length: 100)) else {
            return file.size == 0
        }
        let version = head[60..<64].reduce(0) { $0 << 8 | Int($1) }
        // Our version, and the mode of its log: of a database that another program has made, SQLite
        // would have read the tables' names.
        return Array(head[..<16]) == header && head[18] == 2 && head[19] == 2
            && (1...SQLiteSchema.version).contains(version)
    }

    /// The names of the tables in the database itself, without its WAL.
    private static func tableNames(_ path: String) throws -> Set<String> {
        try IndexAge.look(IndexFiles(path).observedAsItIs, isAlone: false) {
            try String.fetchSet($0, sql: "SELECT name FROM sqlite_master")
        }
    }
}
