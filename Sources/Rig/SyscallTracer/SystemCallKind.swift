internal import CPtrace
internal import Glibc

/// What a counted call does: changes files, or makes changes durable.
package enum CallClass: String, Sendable, Hashable, Codable {
    case write
    case sync
}

/// What a system call does that the tracer looks at.
enum CallEffect: Sendable {
    case write, copy, submit, resize, allocate, control
    case open, makeFolder, makeLink, rename, link, remove, removeFolder
    case sync, syncData, syncRange, syncMemory, syncFileSystem, syncAll
    // Never counted, but where reads or closes are to fail.
    case read, close, map, protect, setAttributes, setTimes, ringSetup, ringEnter
}

/// A system call that the tracer looks at: its name on Linux, what it does, and which of its
/// arguments say so, from 0.
struct SystemCallKind: Sendable {
    let name: String
    let effect: CallEffect
    let file: Int?
    let path: Int?
    /// A path that follows the descriptor of its folder, in the place of ``path``.
    let at: Int?
    let to: Int?
    let length: Int?
    /// The offset in the file; of a copy, where it lies in memory.
    let offset: Int?
    let flags: Int?
    /// True if a symbolic link at the end of the path is followed.
    let follows: Bool
    /// Bits of arguments, of which a call without any changes nothing.
    let needs: [(argument: UInt32, bits: UInt32)]

    private init(
        _ name: String, _ effect: CallEffect, file: Int? = nil, path: Int? = nil, at: Int? = nil,
        to: Int? = nil, length: Int? = nil, offset: Int? = nil, flags: Int? = nil,
        follows: Bool = false, needs: [(argument: UInt32, bits: UInt32)] = []
    ) {
        (self.name, self.effect, self.file, self.path, self.at) = (name, effect, file, path, at)
        (self.to, self.length, self.offset, self.flags) = (to, length, offset, flags)
        (self.follows, self.needs) = (follows, needs)
    }

    static let all: [SystemCallKind] = onDescriptors + onPaths + onMemory + onAttributes

    private static let onDescriptors: [SystemCallKind] = [
        Self("write", .write, file: 0, length: 2),
        Self("pwrite64", .write, file: 0, length: 2, offset: 3), Self("writev", .write, file: 0),
        Self("pwritev", .write, file: 0, offset: 3),
        Self("pwritev2", .write, file: 0, offset: 3, flags: 5),
        Self("sendfile", .copy, file: 0, length: 3),
        Self("copy_file_range", .copy, file: 2, length: 4, offset: 3),
        Self("splice", .copy, file: 2, length: 4, offset: 3), Self("io_submit", .submit),
        Self("ftruncate", .resize, file: 0, length: 1),
        Self("fallocate", .allocate, file: 0, length: 3, offset: 2),
        // A bit of the calls of file systems that those of terminals do not have.
        Self("ioctl", .control, file: 0, needs: [(1, 0x8000)]),
        Self("fsync", .sync, file: 0), Self("fdatasync", .syncData, file: 0),
        Self("sync_file_range", .syncRange, file: 0, length: 2, offset: 1),
        Self("syncfs", .syncFileSystem, file: 0), Self("sync", .syncAll),
        Self("read", .read, file: 0, length: 2),
        Self("pread64", .read, file: 0, length: 2, offset: 3), Self("readv", .read, file: 0),
        Self("preadv", .read, file: 0, offset: 3), Self("preadv2", .read, file: 0, offset: 3),
        Self("close", .close, file: 0),
    ]

    /// An open that creates and truncates nothing is ignored, unless reads are noted; the last flag
    /// is __O_TMPFILE.
    private static let changing = UInt32(O_CREAT | O_TRUNC) | 0o20_000_000

    private static let onPaths: [SystemCallKind] = [
        Self("open", .open, path: 0, flags: 1, needs: [(1, changing)]),
        Self("creat", .open, path: 0),
        Self("openat", .open, at: 1, flags: 2, needs: [(2, changing)]),
        Self("openat2", .open, at: 1), Self("truncate", .resize, path: 0, length: 1),
        Self("rename", .rename, path: 0, to: 1), Self("renameat", .rename, at: 1, to: 3),
        Self("renameat2", .rename, at: 1, to: 3, flags: 4), Self("link", .link, path: 0, to: 1),
        Self("linkat", .link, at: 1, to: 3, flags: 4), Self("unlink", .remove, path: 0),
        Self("unlinkat", .remove, at: 1, flags: 2), Self("rmdir", .removeFolder, path: 0),
        Self("symlink", .makeLink, path: 1), Self("symlinkat", .makeLink, at: 2),
        Self("mkdir", .makeFolder, path: 0), Self("mkdirat", .makeFolder, at: 1),
    ]

    private static let writable = UInt32(PROT_WRITE)

    private static let onMemory: [SystemCallKind] = [
        Self("mmap", .map, file: 4, needs: [(3, UInt32(MAP_SHARED)), (2, writable)]),
        Self("mprotect", .protect, needs: [(2, writable)]),
        Self("pkey_mprotect", .protect, needs: [(2, writable)]),
        Self("msync", .syncMemory), Self("io_uring_setup", .ringSetup),
        // Without requests to submit it only waits.
        Self("io_uring_enter", .ringEnter, needs: [(1, UInt32.max)]),
    ]

    private static let onAttributes: [SystemCallKind] = [
        Self("chmod", .setAttributes, path: 0, follows: true),
        Self("fchmod", .setAttributes, file: 0),
        Self("fchmodat", .setAttributes, at: 1, follows: true),
        Self("fchmodat2", .setAttributes, at: 1, flags: 3),
        Self("chown", .setAttributes, path: 0, follows: true),
        Self("lchown", .setAttributes, path: 0), Self("fchown", .setAttributes, file: 0),
        Self("fchownat", .setAttributes, at: 1, flags: 4),
        Self("utime", .setTimes, path: 0, follows: true),
        Self("utimes", .setTimes, path: 0, follows: true),
        Self("futimesat", .setTimes, at: 1, follows: true),
        Self("utimensat", .setTimes, at: 1, flags: 3),
        Self("setxattr", .setAttributes, path: 0, follows: true),
        Self("lsetxattr", .setAttributes, path: 0), Self("fsetxattr", .setAttributes, file: 0),
        Self("removexattr", .setAttributes, path: 0, follows: true),
        Self("lremovexattr", .setAttributes, path: 0),
        Self("fremovexattr", .setAttributes, file: 0),
    ]

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    static let byNumber = Dictionary(
        uniqueKeysWithValues: all.compactMap { kind in kind.number.map { (UInt64($0), kind) } })

    var number: UInt32? {
        let number = rig_call_number(name)
        return number < 0 ? nil : UInt32(number)
    }

    /// What the call counts as; nil for a call that is looked at but never counted.
    var callClass: CallClass? {
        switch effect {
        case .sync, .syncData, .syncRange, .syncMemory, .syncFileSystem, .syncAll: .sync
        case .read, .ringSetup, .ringEnter: nil
        default: isOfRecorder ? nil : .write
        }
    }

    var isOfRecorder: Bool { setsAttributes || [.map, .protect, .close].contains(effect) }

    /// True if the call sets a mode, an owner, times or extended attributes.
    var setsAttributes: Bool { effect == .setAttributes || effect == .setTimes }

    /// True if what the call does is known only when its turn comes, or when it returns: what a
    /// path leads to depends on what exists then.
    var isAwaited: Bool { path != nil || at != nil || setsAttributes || effect == .ringSetup }

    /// True if the call may wait for another thread: others then do not wait for it, or all would.
    var mayWait: Bool { name == "splice" }
}
