/// What a counted call does: changes files, or makes changes durable.
package enum CallClass: String, Sendable, Hashable, Codable {
    case write
    case sync
}

/// The system calls that the tracer looks at, by their names on Linux.
enum SystemCallKind: String, CaseIterable {
    case write, pwrite64, writev, pwritev, pwritev2
    case ioSubmit = "io_submit"
    case sendfile, copyFileRange = "copy_file_range", splice
    case truncate, ftruncate, fallocate
    case rename, renameat, renameat2
    case link, linkat, unlink, unlinkat, symlink, symlinkat
    case mkdir, mkdirat, rmdir
    case open, creat, openat, openat2
    case fsync, fdatasync, syncFileRange = "sync_file_range", msync, syncfs, sync
    case read, pread64, readv, preadv, preadv2
    case mmap, mprotect, pkeyMprotect = "pkey_mprotect", close, ioctl
    case chmod, fchmod, fchmodat, fchmodat2, chown, lchown, fchown, fchownat
    case utime, utimes, futimesat, utimensat
    case setxattr, lsetxattr, fsetxattr, removexattr, lremovexattr, fremovexattr
    case ioUringSetup = "io_uring_setup", ioUringEnter = "io_uring_enter"

    /// What the call counts as; nil for a call that is looked at but never counted.
    var callClass: CallClass? {
        switch self {
        case .fsync, .fdatasync, .syncFileRange, .msync, .syncfs, .sync: .sync
        case .ioUringSetup, .ioUringEnter: nil
        default: isOfRecorder || isRead ? nil : .write
        }
    }

    /// True if the call reads, which only matters where reads are to fail.
    var isRead: Bool { [.read, .pread64, .readv, .preadv, .preadv2].contains(self) }

    /// True if only a recorder looks at the call.
    var isOfRecorder: Bool {
        switch self {
        case .mmap, .mprotect, .pkeyMprotect, .close: true
        default: setsAttributes
        }
    }

    /// True if the call sets a mode, an owner, times or extended attributes.
    var setsAttributes: Bool {
        switch self {
        case .chmod, .fchmod, .fchmodat, .fchmodat2, .chown, .lchown, .fchown, .fchownat, .setxattr,
            .lsetxattr, .fsetxattr, .removexattr, .lremovexattr, .fremovexattr:
            true
        default: setsTimes
        }
    }

    var setsTimes: Bool {
        [.utime, .utimes, .futimesat, .utimensat].contains(self)
    }

    /// True if the call gives pages of memory other rights.
    var isProtection: Bool { self == .mprotect || self == .pkeyMprotect }

    /// True if the call names what it changes by a path.
    ///
    /// Whether such a call changes anything depends on what exists when its turn comes.
    var isOnPath: Bool {
        switch self {
        case .truncate, .rename, .renameat, .renameat2, .link, .linkat, .unlink, .unlinkat,
            .symlink, .symlinkat, .mkdir, .mkdirat, .rmdir, .open, .creat, .openat, .openat2:
            true
        default: false
        }
    }

    /// True if what the call does is known only when its turn comes, or when it returns.
    var isAwaited: Bool { isOnPath || setsAttributes || self == .ioUringSetup }

    /// True if the call may wait for another thread; other calls then do not wait for it, to avoid
    /// a deadlock.
    var mayWait: Bool { self == .splice }
}
