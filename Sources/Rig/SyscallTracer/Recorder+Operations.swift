internal import CPtrace
internal import Glibc
internal import StorageModel

/// What each call does, as it stands in the log.
extension Recorder {
    func operations(
        _ call: SystemCall, _ target: CallTarget, _ pending: inout Pending
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        switch target {
        case .everything:
            try noteAllChanges(by: call.thread)
            return [.syncAll]
        case .folder(let path): return [.syncDirectory(path: scope.relative(path))]
        case .creation(let path, let isNamed):
            // The new file's inode is known only when it is there.
            let file = newFile()
            let name = isNamed ? scope.relative(path) : ""
            pending.whenDone = { result throws(StorageLogError) in
                let place = isNamed ? path : "/proc/\(call.thread)/fd/\(result)"
                try self.noteCreated(file, at: place, named: name)
            }
            return [.create(path: name, file: file)]
        case .existing(let path, let status):
            let file = try file(status, path: path)
            guard call.effect == .resize else {
                noteLength(0, of: file)
                return [.openTruncate(file: file)]
            }
            return [resizing(file, call)]
        case .mappings(let parts):
            var found: [StorageOperation.Kind] = []
            for part in parts {
                let file = try file(part.status, path: part.path)
                if call.effect == .protect {
                    found.append(mapping(file, part.path, part.status))
                } else {
                    try noteChanges(of: file, at: part.path, in: part.range, by: call.thread)
                    found.append(
                        .syncRange(file: file, offset: part.range.lowerBound, length: part.length))
                }
            }
            return found
        case .submissions(let requests):
            let found = try operations(of: requests, by: call)
            // The call returns how many of its requests it has taken, in their order.
            pending.result = { found[$0].request < $1 ? Int64.max : -1 }
            return found.map(\.kind)
        case .file(let descriptor, let path, let status):
            let file = try file(status, path: path)
            return try onFile(call, file, descriptor, status, &pending)
        case .attributes(let path, let place, let status):
            let file = status.isFolder ? nil : try file(status, path: path)
            pending.whenDone = { _ throws(StorageLogError) in
                if let file {
                    try self.noteSet(file, at: place, by: call)
                } else {
                    try self.noteFolder(path, at: place, isSet: true)
                }
            }
            return []
        case .name(let path): return [onName(call, path, &pending)]
        case .names(let from, let to): return try onNames(call, from, to, &pending)
        }
    }

    private func onName(
        _ call: SystemCall, _ path: String, _ pending: inout Pending
    ) -> StorageOperation.Kind {
        let name = scope.relative(path)
        switch call.effect {
        case .makeFolder:
            pending.whenDone = { _ throws(StorageLogError) in try self.noteFolder(path, at: path) }
            return .makeDirectory(path: name)
        case .makeLink:
            let target = Tracee.text(at: call.arguments[0], in: call.thread) ?? ""
            return .symbolicLink(path: name, target: target)
        default: return call.removesFolder ? .removeDirectory(path: name) : .remove(path: name)
        }
    }

    private func onNames(
        _ call: SystemCall, _ from: String, _ to: String, _ pending: inout Pending
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        if call.effect == .link {
            guard let status = Tracee.status(from) else { return [] }
            return [.link(file: try file(status, path: to), path: scope.relative(to))]
        }
        guard scope.contains(to) else { return [.remove(path: scope.relative(from))] }
        guard scope.contains(from) else {
            pending.whenDone = { _ throws(StorageLogError) in try self.noteArrival(at: to) }
            return []
        }
        let (first, second) = (scope.relative(from), scope.relative(to))
        // RENAME_EXCHANGE is 2.
        return [call.flags & 2 != 0 ? .exchange(first, second) : .rename(from: first, to: second)]
    }

    private func onFile(
        _ call: SystemCall, _ file: FileID, _ descriptor: Int32, _ status: rig_file,
        _ pending: inout Pending
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        let thread = call.thread
        let path = "/proc/\(thread)/fd/\(descriptor)"
        switch call.effect {
        case .resize: return [resizing(file, call)]
        case .allocate: return allocation(call, file)
        case .sync, .syncData:
            try noteChanges(of: file, at: path, by: thread)
            return [.syncFile(file: file, dataOnly: call.effect == .syncData)]
        // It promises nothing for a file that grew, as its manual page says.
        case .syncRange: return []
        // Looked at where reads are to fail, and nothing to a log.
        case .read: return []
        case .map:
            guard call.word(2) & PROT_WRITE != 0, call.word(3) & MAP_SHARED != 0 else { return [] }
            return [mapping(file, path, status)]
        case .close:
            guard emptied.contains(file), isLast(descriptor, in: thread, of: status) else {
                return []
            }
            emptied.remove(file)
            return [.closed(file: file)]
        case .control, .copy:
            // The bytes are of another file: they are read from this one, all of it after a clone.
            let isClone = call.effect == .control
            let pointer = call.kind.offset.map { call.arguments[$0] } ?? 0
            let position = Tracee.position(ofDescriptor: descriptor, in: thread)
            let start =
                pointer == 0
                ? position?.offset
                : Tracee.number(at: pointer, in: thread).map { Int64(bitPattern: $0) }
            let offset = isClone ? 0 : start ?? status.size
            let isSynced =
                !isClone && SystemCall.isSynced(openFlags: position?.flags ?? 0, asked: 0)
            pending.whenDone = { result throws(StorageLogError) in
                let count = isClone ? Tracee.status(path)?.size ?? 0 : result
                let bytes = FolderScan.bytes(of: path, from: offset, count: Int(clamping: count))
                try self.note(
                    .write(file: file, offset: offset, bytes: bytes), by: thread, result: count)
                guard isSynced else { return }
                try self.note(
                    .syncRange(file: file, offset: offset, length: count), by: thread, result: 0)
            }
        default:
            let bytes = call.vector.flatMap {
                Tracee.bytes(at: $0.address, count: $0.count, in: thread)
            }
            let flags = Tracee.position(ofDescriptor: descriptor, in: thread)?.flags ?? 0
            return try writing(
                bytes, to: file, at: call.offset(fileSize: status.size) ?? status.size,
                isSynced: SystemCall.isSynced(openFlags: flags, asked: call.flags), path: path,
                by: call)
        }
        // What stands in the log meanwhile has failed, and what was done takes its place.
        pending.result = { _, _ in -1 }
        return [.write(file: file, offset: 0, bytes: [])]
    }

    private func noteLength(_ length: Int64, of file: FileID) {
        if length == 0 { emptied.insert(file) }
        mapped[file]?.noteZeros(in: max(0, length)..<Int64.max)
    }

    private func resizing(_ file: FileID, _ call: SystemCall) -> StorageOperation.Kind {
        noteLength(call.size(1), of: file)
        return .truncate(file: file, length: call.size(1))
    }

    /// A write, and the sync of its range if it returns only then; what was stored to the same
    /// range through memory is synced with it.
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

    /// True if a process has no other descriptor of a file: this may be its last close.
    private func isLast(_ descriptor: Int32, in thread: pid_t, of status: rig_file) -> Bool {
        let folder = "/proc/\(thread)/fd"
        guard let names = FolderScan.names(in: folder) else { return false }
        return !names.contains { name in
            name != "\(descriptor)"
                && Tracee.status("\(folder)/\(name)").map(Identity.init) == Identity(status)
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
        // The blocks stay the file's, or are given to it, and read as zeros.
        case 0x10: return [punch, allocate]
        // Removing or inserting a range moves the rest of the file, which no log expresses.
        default: return [.unrecorded(file: file)]
        }
    }
}
