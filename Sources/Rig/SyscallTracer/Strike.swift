internal import CPtrace
internal import Glibc
internal import RigModel
internal import StorageModel

enum Strike {
    /// It is not carried out, and returns the error.
    case refused(Int32)
    case carriedOut(Int32)
    /// It is carried out for fewer bytes.
    case cut(ShortCall)
    /// It is a sync that loses what it was to write.
    case lost(FailedSync)
    /// It is carried out some seconds later, if not so many have been.
    case delay(seconds: UInt32, most: Int)

    var cutTo: Int64? { if case .cut(let short) = self { short.length } else { nil } }

    var failedSync: FailedSync? { if case .lost(let failure) = self { failure } else { nil } }

    /// At the call's entry; an error means that the thread has died, which `rig_wait` reports.
    func begin(_ call: SystemCall) {
        switch self {
        // One of which nothing is reported yet returns what it does.
        case .lost(.journalled): break
        // The kernel closes the descriptor, whatever it returns.
        case .lost where call.effect == .close: break
        case .refused, .lost: _ = rig_change_syscall(call.thread, -1, call.arguments)
        case .cut(let short): _ = rig_change_syscall(call.thread, short.number, short.arguments)
        case .carriedOut, .delay: break
        }
    }

    /// Does what is done at the call's exit; returns the result that the program sees.
    func end(_ call: SystemCall, result: Int64) -> Int64 {
        let seen: Int64 =
            switch self {
            case .refused(let error): -Int64(error)
            case .carriedOut(let error): result < 0 ? result : -Int64(error)
            case .lost(.journalled), .cut, .delay: result
            case .lost: -Int64(EIO)
            }
        if case .delay = self { return seen }
        _ = rig_end_syscall(call.thread, seen, call.arguments)
        return seen
    }
}

/// A call with fewer bytes than the program asked for.
struct ShortCall {
    let number: Int64
    let arguments: [UInt64]
    let length: Int64

    /// The call cut to a length below its own; nil for one that has no bytes to cut.
    init?(_ call: SystemCall, to length: Int64) {
        guard [.read, .write, .copy].contains(call.effect) else { return nil }
        var arguments = call.arguments
        var (name, length) = (call.kind.name, length)
        if let index = call.kind.length {
            arguments[index] = UInt64(length)
        } else {
            // Of several ranges of memory the first is taken, by the call that takes one range.
            guard let first = call.vector.first(where: { $0.count > 0 }) else { return nil }
            let isPositioned = call.kind.offset.map { call.size($0) >= 0 } ?? false
            let (plain, positioned) =
                call.effect == .read ? ("read", "pread64") : ("write", "pwrite64")
            name = isPositioned ? positioned : plain
            length = min(length, Int64(first.count))
            arguments[1] = first.address
            arguments[2] = UInt64(length)
        }
        number = Int64(rig_call_number(name))
        (self.arguments, self.length) = (arguments, length)
    }
}

extension CallFailure {
    /// The unit in which a disk has room.
    private static let block: Int64 = 4096
    /// A slow call takes so much longer, in seconds, and at most so many of a launch are slow: a
    /// program under which each call is would seem to hang.
    private static let slowness = Strike.delay(seconds: 1, most: 10)

    /// True for a call that can fail so, and is therefore counted.
    func canStrike(_ call: SystemCall, _ target: CallTarget) -> Bool {
        guard isAbout(target) else { return false }
        let (effect, isRead) = (call.effect, call.effect == .read)
        // A submission returns before anything is written, and sync returns nothing.
        let canFail = call.kind.callClass != nil && effect != .syncAll && effect != .submit
        return switch error {
        case .eio: canFail
        case .enospc, .edquot: call.grows(target) || call.makesName(target)
        case .emfile: effect == .open
        case .shortWrite: !isRead && isLong(call)
        case .shortRead: isRead && isLong(call) && call.bytesAhead(target) ?? 0 > 1
        case .fsyncEIO: canFail && call.isWaitingSync
        case .closeEIO: effect == .close && call.isOfWriter
        case .renameEIO: effect == .rename
        case .slow: call.kind.callClass != nil
        }
    }

    /// How a counted call fails, by its place and that of the first that failed; nil if it does
    /// not.
    ///
    /// Failures begin with the one at the moment.
    func strike(
        _ call: SystemCall, _ target: CallTarget, number: Int, isAtMoment: Bool, first: Int?
    ) -> Strike? {
        if let first {
            // A full disk has room for a name.
            guard repeats(after: number - first), !error.isFull || call.grows(target) else {
                return nil
            }
        } else if !isAtMoment {
            return nil
        }
        switch error {
        case .fsyncEIO where afterSync != nil: return .lost(afterSync?.failedSync ?? .seen)
        // It is for the close itself to report it.
        case .closeEIO where afterSync != nil: return .lost(afterSync == .btrfs ? .reverted : .seen)
        case .eio, .fsyncEIO, .renameEIO: return .refused(EIO)
        case .emfile: return .refused(EMFILE)
        case .closeEIO: return .carriedOut(EIO)
        case .slow: return Self.slowness
        case .shortWrite, .shortRead:
            return call.lengthThere(target).flatMap { ShortCall(call, to: $0 / 2) }.map(Strike.cut)
        case .enospc, .edquot:
            let code = error == .enospc ? ENOSPC : EDQUOT
            // The write that finds the disk full is the last for which there is some room.
            guard first == nil, sticky == .untilRelaunch, let length = call.length,
                length > Self.block,
                let short = ShortCall(
                    call, to: max(Self.block, length / 2 / Self.block * Self.block))
            else { return .refused(code) }
            return .cut(short)
        }
    }

    /// Whether a call so many counted calls after the first failure fails as well.
    private func repeats(after distance: Int) -> Bool {
        switch sticky {
        case .once: false
        case .untilRelaunch: true
        case .every(let step): distance.isMultiple(of: step)
        }
    }

    private func isAbout(_ target: CallTarget) -> Bool {
        guard let pattern else { return true }
        return target.paths.contains { path in
            fnmatch(pattern, path, 0) == 0 || fnmatch("*/\(pattern)", path, 0) == 0
        }
    }

    private func isLong(_ call: SystemCall) -> Bool {
        guard let length = call.length, length > 1 else { return false }
        return ShortCall(call, to: length / 2) != nil
    }
}

extension AfterSync {
    fileprivate var failedSync: FailedSync {
        switch self {
        case .ext4, .xfs: .seen
        case .btrfs: .reverted
        case .ext4Data: .journalled
        }
    }
}

extension SystemCall {
    /// How many bytes it is about: of a read, no more than there are.
    fileprivate func lengthThere(_ target: CallTarget) -> Int64? {
        guard effect == .read, let length, let ahead = bytesAhead(target) else { return length }
        return min(length, ahead)
    }

    /// How many bytes its file has from its offset on; nil for a call without such a file.
    fileprivate func bytesAhead(_ target: CallTarget) -> Int64? {
        guard case .file(_, _, let status) = target else { return nil }
        return offset(fileSize: status.size).map { status.size - $0 }
    }

    /// True for a call that needs room for the bytes of a file: beyond its end, or beyond the
    /// blocks that it has.
    fileprivate func grows(_ target: CallTarget) -> Bool {
        switch effect {
        case .write:
            guard case .file(_, _, let status) = target, let length, length > 0,
                let offset = offset(fileSize: status.size)
            else { return false }
            return length > min(status.size, status.allocated) - offset
        case .copy: return true
        // FALLOC_FL_PUNCH_HOLE of linux/falloc.h gives room back.
        case .allocate: return word(1) & 2 == 0
        default: return false
        }
    }

    /// True for a call that makes a name, which needs room in its folder.
    fileprivate func makesName(_ target: CallTarget) -> Bool {
        if case .creation = target { return true }
        return [.makeFolder, .makeLink, .link].contains(effect)
    }

    fileprivate var isOfWriter: Bool {
        Tracee.position(ofDescriptor: word(0), in: thread).map { $0.flags & O_ACCMODE != O_RDONLY }
            ?? false
    }
}
