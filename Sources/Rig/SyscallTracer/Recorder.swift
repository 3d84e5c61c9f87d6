internal import CPtrace
internal import Glibc
internal import StorageModel

/// Records what counted calls do, as they begin and as they return.
final class Recorder {
    /// What remains to be done when a call returns.
    struct Pending {
        /// The call's operations, already in the log.
        fileprivate var ordinals: [Int] = []
        fileprivate var completion = Completion.none
    }

    enum Completion {
        case none
        /// The new file's inode is known only now; the path is empty for a file without a name.
        case created(FileID, path: String)
        /// Bytes were copied from another file: they are read from the target.
        case copied(FileID, path: String, offset: Int64)
        /// It has the blocks of another file now, and all of it is read.
        case cloned(FileID, path: String)
        /// Something was moved in from outside the folder.
        case movedIn(path: String)

        case madeFolder(path: String)
        /// A file, or for nil a folder, got other attributes.
        case attributed(FileID?, path: String, place: String)
        /// Requests were submitted: which of them each operation belongs to.
        case submitted([Int])

        /// The result of one of the call's operations, from the call's own.
        func result(ofOperation index: Int, _ result: Int64) -> Int64 {
            switch self {
            // What is recorded then stands in its place.
            case .copied, .cloned: -1
            // The call returns how many of its requests it has taken, in their order.
            case .submitted(let requests): requests[index] < result ? Int64.max : -1
            case .none, .created, .movedIn, .madeFolder, .attributed: result
            }
        }
    }

    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: rig_file) {
            device = status.device
            inode = status.inode
        }
    }

    let scope: Scope
    var writer: StorageLogWriter
    private let stacks: StackLogWriter?
    private(set) var files: [Identity: FileID] = [:]
    var mapped: [FileID: MappedFile] = [:]
    /// Whether what is stored to mapped memory is looked for every few milliseconds.
    let looksOften: Bool
    /// Not before this moment: looking takes its time, and must not take all of it.
    var nextLook = ContinuousClock.now
    /// Files whose length was set to 0 and that were not closed since.
    private var emptied: Set<FileID> = []
    private var count: UInt32 = 0
    private(set) var unseen: [String] = []
    /// The last attributes that were recorded.
    var attributes: [FileID: FileAttributes] = [:]

    /// Begins a log with the folder's contents.
    init(
        path: String, stacks: String? = nil, scope: Scope, looksOften: Bool = true
    ) throws(StorageLogError) {
        self.scope = scope
        self.looksOften = looksOften
        writer = try StorageLogWriter(path: path)
        self.stacks = try stacks.map { path throws(StorageLogError) in
            try StackLogWriter(path: path)
        }
        if let folder = scope.folder { try noteContents(of: folder) }
    }

    private func noteContents(of folder: String) throws(StorageLogError) {
        for (path, entry) in FolderScan.entries(of: folder) {
            let name = scope.relative(path)
            switch entry {
            case .folder: try note(.existingDirectory(path: name))
            case .link(let target): try note(.symbolicLink(path: name, target: target))
            case .file(let status):
                if let file = files[Identity(status)] {
                    try note(.link(file: file, path: name))
                } else {
                    _ = try noteExisting(path, status)
                }
            }
        }
        try noteAttributes(of: folder)
    }

    func note(_ kind: StorageOperation.Kind) throws(StorageLogError) {
        _ = try writer.append(kind)
    }

    func note(
        _ kind: StorageOperation.Kind, by thread: pid_t, result: Int64
    ) throws(StorageLogError) {
        let ordinal = try writer.append(kind, threadID: thread)
        try writer.noteReturn(of: ordinal, result: result)
    }

    /// Records, once, that the program does something to files that the log does not have.
    func noteUnseen(_ what: String) throws(StorageLogError) {
        guard !unseen.contains(what) else { return }
        unseen.append(what)
        try note(.unseen(what))
    }

    /// A power cut takes other things of another file system, and at another moment.
    private func noteElsewhere(
        _ status: rig_file, at path: String, named name: String
    ) throws(StorageLogError) {
        guard scope.isElsewhere(status, at: path) else { return }
        try noteUnseen("changes of \(name), which is on another file system")
    }

    private func newFile(_ status: rig_file?) -> FileID {
        count += 1
        let file = FileID(count)
        if let status { files[Identity(status)] = file }
        return file
    }

    private func noteExisting(
        _ path: String, _ status: rig_file
    ) throws(StorageLogError) -> FileID {
        let file = newFile(status)
        let bytes = FolderScan.bytes(of: path, count: Int(clamping: status.size))
        try note(.existing(path: scope.relative(path), file: file, bytes: bytes))
        return file
    }

    /// The file's number; a file not seen before is recorded with its contents.
    func file(_ status: rig_file, path: String) throws(StorageLogError) -> FileID {
        if let file = files[Identity(status)] { return file }
        try noteElsewhere(status, at: path, named: scope.relative(path))
        let file = try noteExisting(path, status)
        try noteInitial(file, path, status)
        return file
    }

    /// Records what a call is going to do, for ``finish(_:_:result:)``.
    func begin(
        _ call: SystemCall, _ target: CallTarget, number: Int?
    ) throws(StorageLogError) -> Pending {
        var pending = Pending()
        for kind in try operations(call, target, &pending.completion) {
            pending.ordinals.append(
                try writer.append(kind, threadID: call.thread, call: number))
        }
        stacks?.add(
            pending.ordinals, call.kind.rawValue, UserStack.places(of: call.thread))
        return pending
    }

    /// Records that a call has returned.
    func finish(
        _ call: SystemCall, _ pending: Pending, result: Int64
    ) throws(StorageLogError) {
        for (index, ordinal) in pending.ordinals.enumerated() {
            try writer.noteReturn(
                of: ordinal, result: pending.completion.result(ofOperation: index, result))
        }
        guard result >= 0 else { return }
        switch pending.completion {
        case .none, .submitted: break
        case .created(let file, let path):
            let descriptor = "/proc/\(call.thread)/fd/\(result)"
            let place = path.isEmpty ? descriptor : path
            if let status = Tracee.status(place) {
                files[Identity(status)] = file
                try noteElsewhere(
                    status, at: place, named: path.isEmpty ? "a file" : scope.relative(path))
                try noteCreated(file, place)
            }
        case .madeFolder(let path): try noteFolder(path)
        case .attributed(let file, let path, let place):
            try noteSet(file, path, place, by: call)
        case .copied(let file, let path, let offset):
            let bytes = FolderScan.bytes(of: path, from: offset, count: Int(clamping: result))
            let ordinal = try writer.append(
                .write(file: file, offset: offset, bytes: bytes), threadID: call.thread)
            try writer.noteReturn(of: ordinal, result: result)
        case .cloned(let file, let path):
            let size = Tracee.status(path)?.size ?? 0
            let bytes = FolderScan.bytes(of: path, count: Int(clamping: size))
            let ordinal = try writer.append(
                .write(file: file, offset: 0, bytes: bytes), threadID: call.thread)
            try writer.noteReturn(of: ordinal, result: Int64(bytes.count))
        case .movedIn(let path):
            guard let status = Tracee.status(path, following: false) else { return }
            if status.mode & S_IFMT == S_IFDIR {
                try note(.existingDirectory(path: scope.relative(path)))
                try noteContents(of: path)
                try noteFolder(path)
            } else if status.mode & S_IFMT == S_IFREG {
                let before = files.removeValue(forKey: Identity(status))
                let file = try noteExisting(path, status)
                try noteInitial(file, path, status)
                if let before, mapped[before] != nil, begin(mapping: file, at: path) {
                    try note(.mapped(file: file, inode: status.inode))
                }
            }
        }
    }

    private func operations(
        _ call: SystemCall, _ target: CallTarget, _ completion: inout Completion
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        switch target {
        case .everything:
            try noteAllChanges(by: call.thread)
            return [.syncAll]
        case .folder(let path): return [.syncDirectory(path: scope.relative(path))]
        case .creation(let path, let isNamed):
            let file = newFile(nil)
            completion = .created(file, path: isNamed ? path : "")
            return [.create(path: isNamed ? scope.relative(path) : "", file: file)]
        case .existing(let path, let status):
            let file = try file(status, path: path)
            let length = call.kind == .truncate ? call.size(1) : 0
            if length == 0 { emptied.insert(file) }
            mapped[file]?.noteZeros(in: max(0, length)..<Int64.max)
            return call.kind == .truncate
                ? [.truncate(file: file, length: length)] : [.openTruncate(file: file)]
        case .mappings(let mappings) where call.kind.isProtection:
            var found: [StorageOperation.Kind] = []
            for (path, status, _) in mappings {
                found.append(mapping(try file(status, path: path), path, status))
            }
            return found
        case .mappings(let mappings):
            var syncs: [StorageOperation.Kind] = []
            for (path, status, range) in mappings {
                let file = try file(status, path: path)
                try noteChanges(of: file, at: path, in: range, by: call.thread)
                syncs.append(
                    .syncRange(file: file, offset: range.lowerBound, length: Int64(range.count)))
            }
            return syncs
        case .submissions(let requests):
            let found = try operations(of: requests, by: call)
            completion = .submitted(found.map(\.request))
            return found.map(\.kind)
        case .file(let descriptor, let path, let status):
            let file = try file(status, path: path)
            return try onFile(call, file, descriptor, status, &completion)
        case .attributes(let path, let place, let status):
            let isFolder = status.mode & S_IFMT == S_IFDIR
            completion = .attributed(
                isFolder ? nil : try file(status, path: path), path: path, place: place)
            return []
        case .name(let path):
            if call.kind == .mkdir || call.kind == .mkdirat { completion = .madeFolder(path: path) }
            return onName(call, scope.relative(path))
        case .names(let from, let to): return try onNames(call, from, to, &completion)
        }
    }

    private func onFile(
        _ call: SystemCall, _ file: FileID, _ descriptor: Int32, _ status: rig_file,
        _ completion: inout Completion
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        let path = "/proc/\(call.thread)/fd/\(descriptor)"
        switch call.kind {
        case .ftruncate:
            mapped[file]?.noteZeros(in: max(0, call.size(1))..<Int64.max)
            if call.size(1) == 0 { emptied.insert(file) }
            return [.truncate(file: file, length: call.size(1))]
        case .fallocate: return allocation(call, file)
        case .fsync, .fdatasync:
            try noteChanges(of: file, at: path, by: call.thread)
            return [.syncFile(file: file, dataOnly: call.kind == .fdatasync)]
        // It promises nothing for a file that grew, as its manual page says.
        case .syncFileRange: return []
        case .mmap:
            guard call.word(2) & PROT_WRITE != 0, call.word(3) & MAP_SHARED != 0 else { return [] }
            return [mapping(file, path, status)]
        case .close:
            guard emptied.contains(file), isLast(descriptor, in: call.thread, of: status) else {
                return []
            }
            emptied.remove(file)
            return [.closed(file: file)]
        case .ioctl:
            completion = .cloned(file, path: path)
            return [Self.begun(file)]
        case .sendfile, .copyFileRange, .splice:
            let pointer = call.kind == .sendfile ? 0 : call.arguments[3]
            let offset =
                pointer == 0
                ? Tracee.position(ofDescriptor: descriptor, in: call.thread)?.offset
                : Tracee.number(at: pointer, in: call.thread).map { Int64(bitPattern: $0) }
            completion = .copied(file, path: path, offset: offset ?? status.size)
            return [Self.begun(file)]
        default:
            let bytes = call.vector.reduce(into: [UInt8]()) { bytes, run in
                bytes += Tracee.bytes(at: run.address, count: run.count, in: call.thread)
            }
            let flags = Tracee.position(ofDescriptor: descriptor, in: call.thread)?.flags ?? 0
            return try writing(
                bytes, to: file, at: call.offset(fileSize: status.size) ?? status.size,
                isSynced: SystemCall.isSynced(openFlags: flags, asked: call.asked), path: path,
                by: call)
        }
    }

    /// A write, and the sync of its range if it returns only then; what was stored to the same range
    /// through memory is synced with it.
    func writing(
        _ bytes: [UInt8], to file: FileID, at offset: Int64, isSynced: Bool, path: String,
        by call: SystemCall
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        let write = StorageOperation.Kind.write(file: file, offset: offset, bytes: bytes)
        defer { mapped[file]?.note(bytes, at: offset) }
        guard isSynced else { return [write] }
        let range = offset..<offset + Int64(bytes.count)
        try noteChanges(of: file, at: path, in: range, by: call.thread)
        return [write, .syncRange(file: file, offset: offset, length: Int64(bytes.count))]
    }

    /// A call under way that changes a file; what it has done is read when it returns.
    private static func begun(_ file: FileID) -> StorageOperation.Kind {
        .write(file: file, offset: 0, bytes: [])
    }

    /// True if a process has no other descriptor of a file, so that closing this one may be the
    /// file's last close.
    private func isLast(_ descriptor: Int32, in thread: pid_t, of status: rig_file) -> Bool {
        let folder = "/proc/\(thread)/fd"
        guard let names = FolderScan.names(in: folder) else { return false }
        return !names.contains { name in
            guard name != "\(descriptor)", let other = Tracee.status("\(folder)/\(name)") else {
                return false
            }
            return other.inode == status.inode && other.device == status.device
        }
    }

    private func allocation(_ call: SystemCall, _ file: FileID) -> [StorageOperation.Kind] {
        let (mode, offset, length) = (call.word(1), call.size(2), call.size(3))
        let keepsSize = mode & 0x01 != 0
        let allocate = StorageOperation.Kind.allocate(
            file: file, offset: offset, length: length, keepsSize: keepsSize)
        let punch = StorageOperation.Kind.punchHole(file: file, offset: offset, length: length)
        if mode & 0x12 != 0, offset >= 0, length > 0 {
            let (end, isBeyond) = offset.addingReportingOverflow(length)
            mapped[file]?.noteZeros(in: offset..<(isBeyond ? Int64.max : end))
        }
        switch mode & ~0x01 {
        case 0: return [allocate]
        case 0x02: return [punch]
        case 0x10: return [allocate, punch]
        // Removing or inserting a range moves the rest of the file, which the log cannot
        // express.
        default: return [.unrecorded(file: file)]
        }
    }
}
