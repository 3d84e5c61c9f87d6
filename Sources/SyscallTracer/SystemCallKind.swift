/// What a counted call does: changes files, or makes changes durable.
package enum CallClass: String, Sendable, Hashable, Codable, CaseIterable {
    /// Changes what a file or folder holds.
    case write
    /// Asks for changes to be durable.
    case sync
}

/// The system calls that the tracer looks at, by their names on Linux.
enum SystemCallKind: String, CaseIterable {
    case write, pwrite64, writev, pwritev, pwritev2
    case sendfile, copyFileRange = "copy_file_range", splice
    case truncate, ftruncate, fallocate
    case rename, renameat, renameat2
    case link, linkat, unlink, unlinkat, symlink, symlinkat
    case mkdir, mkdirat, rmdir
    case open, creat, openat, openat2
    case fsync, fdatasync, syncFileRange = "sync_file_range", msync, syncfs, sync
    case mmap
    case ioUringSetup = "io_uring_setup"

    /// What it counts as; nil for what is looked at and never counted.
    var callClass: CallClass? {
        switch self {
        case .fsync, .fdatasync, .syncFileRange, .msync, .syncfs, .sync: .sync
        case .mmap, .ioUringSetup: nil
        default: .write
        }
    }

    /// True where the call names what it changes by a path.
    ///
    /// Whether such a call changes anything depends on what is there when its turn comes.
    var isOnPath: Bool {
        switch self {
        case .truncate, .rename, .renameat, .renameat2, .link, .linkat, .unlink, .unlinkat,
            .symlink, .symlinkat, .mkdir, .mkdirat, .rmdir, .open, .creat, .openat, .openat2:
            true
        default: false
        }
    }

    /// True where it may wait for another thread: nobody may be made to wait for it then.
    var mayWait: Bool { self == .splice }
}
