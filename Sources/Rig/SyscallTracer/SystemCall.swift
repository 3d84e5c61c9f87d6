internal import CPtrace
internal import Glibc

struct SystemCall {
    let kind: SystemCallKind
    let thread: pid_t
    let arguments: [UInt64]

    init?(_ call: rig_syscall, thread: pid_t) {
        guard let kind = SystemCallKind.byNumber[call.number] else { return nil }
        (self.kind, self.thread) = (kind, thread)
        let (a, b, c, d, e, f) = call.arguments
        arguments = [a, b, c, d, e, f]
    }

    var effect: CallEffect { kind.effect }

    func word(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: arguments[index]) }

    func size(_ index: Int) -> Int64 { Int64(truncatingIfNeeded: arguments[index]) }

    func path(following: Bool = false) -> String? {
        (kind.path ?? kind.at).flatMap { path($0, following: following) }
    }

    var secondPath: String? { kind.to.flatMap { path($0, following: false) } }

    private func path(_ index: Int, following: Bool) -> String? {
        let folder = kind.at == nil ? AT_FDCWD : word(index - 1)
        return Tracee.text(at: arguments[index], in: thread).flatMap {
            Tracee.resolve($0, from: folder, in: thread, following: following)
        }
    }

    var descriptor: Int32? { kind.file.map(word) }

    /// Its flags, for a write beside those of its descriptor (RWF_…); 0 where it has none.
    var flags: Int32 { kind.flags.map(word) ?? 0 }

    /// True for an ioctl that makes a file share the blocks of another, as `cp` does where it can:
    /// FICLONE and FICLONERANGE of linux/fs.h.
    var isClone: Bool {
        effect == .control && [0x4004_9409, 0x4020_940D].contains(arguments[1] & 0xffff_ffff)
    }

    var openFlags: Int32? {
        guard effect == .open else { return nil }
        return switch kind.name {
        case "creat": O_CREAT | O_TRUNC | O_WRONLY
        case "openat2":
            Tracee.number(at: arguments[2], in: thread).map { Int32(truncatingIfNeeded: $0) }
        default: flags
        }
    }

    /// True if it opens a named pipe: it waits until another program opens the other end, which must
    /// not wait for it.
    var opensPipe: Bool {
        guard effect == .open, let path = self.path(following: true),
            let status = Tracee.status(path)
        else { return false }
        return status.mode & S_IFMT == S_IFIFO
    }

    var removesFolder: Bool {
        effect == .removeFolder || effect == .remove && flags & AT_REMOVEDIR != 0
    }

    /// True for a sync that waits for the disk, and reports what could not be written: without 1 or 4
    /// (SYNC_FILE_RANGE_WAIT_BEFORE and _AFTER) sync_file_range leaves that to the next one.
    var isWaitingSync: Bool {
        kind.callClass == .sync && (effect != .syncRange || word(3) & 5 != 0)
    }

    private var isTransfer: Bool { effect == .write || effect == .read }

    /// The number of bytes; nil for a call without a length.
    var length: Int64? {
        kind.length.map(size)
            ?? (isTransfer ? vector.reduce(Int64(0)) { $0 + Int64($1.count) } : nil)
    }

    /// Where in a file of a size the call writes or reads; nil for a call without an offset.
    func offset(fileSize: Int64) -> Int64? {
        guard isTransfer else { return effect == .copy ? nil : kind.offset.map(size) }
        guard let (position, open) = Tracee.position(ofDescriptor: word(0), in: thread)
        else { return nil }
        if effect == .write, Self.appends(openFlags: open, asked: flags) { return fileSize }
        return kind.offset.map(size).flatMap { $0 >= 0 ? $0 : nil } ?? position
    }

    /// True if a write goes to the end of the file: with O_APPEND, unless RWF_NOAPPEND, 0x20, asks
    /// for its offset, or with RWF_APPEND, 0x10.
    static func appends(openFlags: Int32, asked: Int32) -> Bool {
        openFlags & O_APPEND != 0 && asked & 0x20 == 0 || asked & 0x10 != 0
    }

    /// True if a write returns only when its bytes are on the disk: with O_DSYNC, which O_SYNC
    /// includes, RWF_DSYNC, 2, or RWF_SYNC, 4.
    static func isSynced(openFlags: Int32, asked: Int32) -> Bool {
        openFlags & O_DSYNC != 0 || asked & 6 != 0
    }

    var vector: [(address: UInt64, count: Int)] {
        guard isTransfer else { return [] }
        return kind.length != nil
            ? [(arguments[1], Int(clamping: arguments[2]))]
            : Tracee.vector(at: arguments[1], count: Int(word(2)), in: thread)
    }
}
