internal import Foundation

/// The limit that this process has for the size of a file (`ulimit -f`).
enum FileSizeLimit {
    /// The most that SQLite writes at once: a page of the largest size, with its frame in the log.
    private static let step = (1 << 16) + 24

    /// True if a write to a database, or beside it, may go beyond; SQLite hides that reason.
    static func isReached(byDatabase path: String) -> Bool {
        var limit = rlimit()
        #if canImport(Glibc)
            let answer = getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #else
            let answer = getrlimit(RLIMIT_FSIZE, &limit)
        #endif
        guard answer == 0, limit.rlim_cur < rlim_t(Int64.max) else { return false }
        return ["", "-wal", "-shm", "-journal"].contains { suffix in
            FileFacts(path + suffix).map { $0.size > Int64(limit.rlim_cur) - Int64(step) } ?? false
        }
    }
}
