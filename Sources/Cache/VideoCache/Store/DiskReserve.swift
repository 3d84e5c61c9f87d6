internal import Foundation

/// The free disk space below which requests that begin are not saved (S6).
package struct DiskReserve: Sendable {
    private let folder: String
    private let bytes: Int64
    private let free: @Sendable (_ folder: String) -> Int64?

    /// Creates a reserve, nil for one of no bytes; `free` is nil where the system does not tell.
    package init?(
        folder: String, bytes: Int64,
        free: @escaping @Sendable (_ folder: String) -> Int64? = Self.freeBytes
    ) {
        guard bytes > 0 else { return nil }
        (self.folder, self.bytes, self.free) = (folder, bytes, free)
    }

    /// Why nothing may be saved now; nil if there is room, or if the system does not tell.
    var shortage: CacheError? {
        guard let left = free(folder), left < bytes else { return nil }
        return .diskLow(path: folder, free: left, reserve: bytes)
    }

    /// What a program without special rights can still write.
    package static func freeBytes(of folder: String) -> Int64? {
        var facts = statvfs()
        guard statvfs(folder, &facts) == 0 else { return nil }
        // Some file systems tell more than there can be.
        let (bytes, isTooMuch) = UInt64(facts.f_bavail).multipliedReportingOverflow(
            by: UInt64(facts.f_frsize))
        return isTooMuch ? .max : Int64(clamping: bytes)
    }

    /// True if no file can be made any more on a disk that counts its files, whatever room it has.
    static func takesNoFile(at path: String) -> Bool {
        var facts = statvfs()
        return statvfs(path, &facts) == 0 && facts.f_files > 0 && facts.f_favail == 0
    }
}
