internal import Foundation

/// What the system says of a file or a folder; equal, as far as it tells, if nothing was written.
struct FileFacts: Equatable {
    let device: UInt64
    let number: UInt64
    /// What it is, such as `S_IFREG`.
    let kind: mode_t
    let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Of what a path leads to; nil if that cannot be seen, for the reason that `errno` has.
    init?(_ path: String) {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init?(of descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        device = UInt64(truncatingIfNeeded: facts.st_dev)
        number = UInt64(truncatingIfNeeded: facts.st_ino)
        (kind, size) = (facts.st_mode & S_IFMT, Int64(facts.st_size))
        #if canImport(Darwin)
            (seconds, nanoseconds) = (facts.st_mtimespec.tv_sec, facts.st_mtimespec.tv_nsec)
        #else
            (seconds, nanoseconds) = (facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec)
        #endif
    }

    /// True if both are the same file, whatever was written to it.
    func isSame(as other: Self) -> Bool { device == other.device && number == other.number }
}
