#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A database of which a power cut has left the length, and zeros.
///
/// Where commits need only survive a killed process a new database is created without a sync, and a
/// file's length may reach the disk before its data. Nothing was ever certain in such a file: were
/// a committed page in its write-ahead log, SQLite would read it from there.
enum BlankDatabase {
    private static let sectorSize = 512
    // The bytes that SQLite locks, whoever reads or writes: 1 GB into the file, beyond any page.
    private static let lockedOffset: Int64 = 0x4000_0000
    private static let lockedLength: Int64 = 512

    /// Empties a file that begins with a sector of zeros, so that the database is created anew.
    ///
    /// - Parameter path: the database, which SQLite has called none.
    /// - Returns: false where it holds something, or somebody else has it open.
    static func empty(_ path: String) -> Bool {
        guard let file = try? OpenFile.ifThere(path, O_RDWR) else { return false }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(lockedOffset)
        lock.l_len = off_t(lockedLength)
        // Under the lock another process that came first has its header in place already.
        guard fcntl(file.descriptor, F_SETLK, &lock) == 0,
            let start = try? file.read(ByteRange(offset: 0, length: Int64(sectorSize))),
            start.allSatisfy({ $0 == 0 })
        else { return false }
        return (try? file.truncate(to: 0)) != nil
    }
}
