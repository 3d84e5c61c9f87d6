internal import CPtrace
internal import Glibc
internal import StorageModel

/// A request of `io_submit(2)` that changes or syncs a file in scope.
struct Submission {
    let index: Int
    let code: Code
    let descriptor: Int32
    /// The flags of this request (RWF_…).
    let flags: Int32
    let runs: [(address: UInt64, count: Int)]
    /// Where it is written, but for a file that is appended to.
    let offset: Int64
    let path: String
    let status: rig_file

    /// What changes or syncs files, by its number in linux/aio_abi.h.
    enum Code: UInt16 {
        case write = 1
        case sync = 2
        case syncData = 3
        case writeVector = 8
    }
}

extension Scope {
    /// The requests of a call; nil without any that changes or syncs a file in scope.
    func submissions(of call: SystemCall) -> CallTarget? {
        let count = max(0, min(call.size(1), 1024))
        let found = (0..<Int(count)).compactMap { index in
            Tracee.number(at: call.arguments[2] &+ UInt64(8 * index), in: call.thread)
                .flatMap { submission(index, at: $0, in: call.thread) }
        }
        return found.isEmpty ? nil : .submissions(found)
    }

    private func submission(_ index: Int, at address: UInt64, in thread: pid_t) -> Submission? {
        let bytes = Tracee.bytes(at: address, count: 64, in: thread)
        guard bytes.count == 64 else { return nil }
        func field<Number: FixedWidthInteger>(_ offset: Int, _: Number.Type) -> Number {
            bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: Number.self) }
        }
        let descriptor = field(20, Int32.self)
        guard let code = Submission.Code(rawValue: field(16, UInt16.self)),
            let status = Tracee.status(ofDescriptor: descriptor, in: thread), status.isRegular,
            let path = Tracee.path(ofDescriptor: descriptor, in: thread), contains(path)
        else { return nil }
        let (buffer, length) = (field(24, UInt64.self), field(32, UInt64.self))
        let runs =
            code == .writeVector
            ? Tracee.vector(at: buffer, count: Int(clamping: length), in: thread)
            : [(buffer, code == .write ? Int(clamping: length) : 0)]
        return Submission(
            index: index, code: code, descriptor: descriptor, flags: field(12, Int32.self),
            runs: runs, offset: field(40, Int64.self), path: path, status: status)
    }
}

extension Recorder {
    /// What the requests of a call do, each operation with the number of its request.
    ///
    /// A write through the page cache is done when `io_submit` returns. Of a sync, and of a synced
    /// write past the cache, only the completion tells, in memory: they are not recorded.
    func operations(
        of requests: [Submission], by call: SystemCall
    ) throws(StorageLogError) -> [(request: Int, kind: StorageOperation.Kind)] {
        var operations: [(Int, StorageOperation.Kind)] = []
        for request in requests {
            guard request.code == .write || request.code == .writeVector else {
                try noteUnseen("a sync by io_submit")
                continue
            }
            let file = try file(request.status, path: request.path)
            let (_, flags) =
                Tracee.position(ofDescriptor: request.descriptor, in: call.thread) ?? (0, 0)
            let isSynced = SystemCall.isSynced(openFlags: flags, asked: request.flags)
            if isSynced, flags & Int32(RIG_PAST_CACHE) != 0 {
                try noteUnseen("a synced write past the cache by io_submit")
            }
            let bytes = request.runs.flatMap {
                Tracee.bytes(at: $0.address, count: $0.count, in: call.thread)
            }
            let offset =
                SystemCall.appends(openFlags: flags, asked: request.flags)
                ? request.status.size : request.offset
            let kinds = try writing(
                bytes, to: file, at: offset,
                isSynced: isSynced && flags & Int32(RIG_PAST_CACHE) == 0,
                path: "/proc/\(call.thread)/fd/\(request.descriptor)", by: call)
            operations += kinds.map { (request.index, $0) }
        }
        return operations
    }
}
