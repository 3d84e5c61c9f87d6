internal import CPtrace
internal import Glibc

/// A call that a thread is about to make.
struct SystemCall {
    let kind: SystemCallKind
    let thread: pid_t
    let arguments: [UInt64]

    /// The kinds by system call number on this machine.
    static let kinds = Dictionary(
        uniqueKeysWithValues: SystemCallKind.allCases.compactMap { kind in
            let number = rig_call_number(kind.rawValue)
            return number < 0 ? nil : (UInt64(number), kind)
        })

    init?(_ call: rig_syscall, thread: pid_t) {
        guard let kind = Self.kinds[call.number] else { return nil }
        self.kind = kind
        self.thread = thread
        let (a, b, c, d, e, f) = call.arguments
        arguments = [a, b, c, d, e, f]
    }

    /// An argument that is a descriptor or flags.
    func word(_ index: Int) -> Int32 {
        Int32(truncatingIfNeeded: arguments[index])
    }

    /// An argument that is a length or an offset.
    func size(_ index: Int) -> Int64 {
        Int64(truncatingIfNeeded: arguments[index])
    }

    /// An argument that is a path, resolved.
    func path(_ index: Int, from directory: Int32 = AT_FDCWD, following: Bool = false)
        -> String?
    {
        Tracee.text(at: arguments[index], in: thread).flatMap {
            Tracee.resolve($0, from: directory, in: thread, following: following)
        }
    }

    /// The descriptor of the file that the call acts on.
    var descriptor: Int32? {
        switch kind {
        case .write, .pwrite64, .writev, .pwritev, .pwritev2, .sendfile, .ftruncate,
            .fallocate, .fsync, .fdatasync, .syncFileRange, .syncfs, .close, .ioctl, .read,
            .pread64, .readv, .preadv, .preadv2:
            word(0)
        case .copyFileRange, .splice: word(2)
        case .mmap: word(4)
        default: nil
        }
    }

    /// True for an ioctl that makes a file share the blocks of another, as `cp` does where it can:
    /// FICLONE and FICLONERANGE of linux/fs.h.
    var isClone: Bool {
        kind == .ioctl && [0x4004_9409, 0x4020_940D].contains(arguments[1] & 0xffff_ffff)
    }

    var openFlags: Int32? {
        switch kind {
        case .open: word(1)
        case .creat: O_CREAT | O_TRUNC | O_WRONLY
        case .openat: word(2)
        case .openat2:
            Tracee.number(at: arguments[2], in: thread).map { Int32(truncatingIfNeeded: $0) }
        default: nil
        }
    }

    /// The number of bytes; nil for a call without a length.
    var length: Int64? {
        switch kind {
        case .write, .pwrite64, .read, .pread64: size(2)
        case .writev, .pwritev, .pwritev2, .readv, .preadv, .preadv2:
            vector.reduce(0) { $0 + Int64($1.count) }
        case .sendfile: size(3)
        case .copyFileRange, .splice: size(4)
        case .truncate, .ftruncate: size(1)
        case .fallocate: size(3)
        case .syncFileRange: size(2)
        default: nil
        }
    }

    /// The file offset at which the call writes or reads; nil for a call without an offset.
    ///
    /// - Parameter fileSize: the file's size, at which an appending descriptor writes.
    func offset(fileSize: Int64) -> Int64? {
        switch kind {
        case .write, .pwrite64, .writev, .pwritev, .pwritev2, .read, .pread64, .readv, .preadv,
            .preadv2:
            guard let (position, flags) = Tracee.position(ofDescriptor: word(0), in: thread)
            else { return nil }
            if !kind.isRead, Self.appends(openFlags: flags, asked: asked) { return fileSize }
            let isPositioned = ![.write, .writev, .read, .readv].contains(kind)
            return isPositioned && size(3) >= 0 ? size(3) : position
        case .fallocate: return size(2)
        case .syncFileRange: return size(1)
        default: return nil
        }
    }

    /// The flags of a write beside those of its descriptor (RWF_…).
    var asked: Int32 { kind == .pwritev2 ? word(5) : 0 }

    /// True if a write goes to the end of the file: with O_APPEND, unless RWF_NOAPPEND, 0x20, asks for
    /// its offset, or with RWF_APPEND, 0x10.
    static func appends(openFlags: Int32, asked: Int32) -> Bool {
        openFlags & O_APPEND != 0 && asked & 0x20 == 0 || asked & 0x10 != 0
    }

    /// True if a write returns only when its bytes are on the disk: with O_DSYNC, which O_SYNC
    /// includes, RWF_DSYNC, 2, or RWF_SYNC, 4.
    static func isSynced(openFlags: Int32, asked: Int32) -> Bool {
        openFlags & O_DSYNC != 0 || asked & 6 != 0
    }

    /// The memory ranges that are written from or read into.
    var vector: [(address: UInt64, count: Int)] {
        switch kind {
        case .write, .pwrite64, .read, .pread64: [(arguments[1], Int(clamping: arguments[2]))]
        case .writev, .pwritev, .pwritev2, .readv, .preadv, .preadv2:
            Tracee.vector(at: arguments[1], count: Int(word(2)), in: thread)
        default: []
        }
    }
}
