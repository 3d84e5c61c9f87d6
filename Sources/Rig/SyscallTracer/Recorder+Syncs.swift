internal import CPtrace
internal import Glibc
internal import RigModel
internal import StorageModel

/// A part of a file that a call syncs or makes writable in memory, or, for a close, was to write.
struct SyncedPart {
    /// Where it can be opened.
    let place: String
    let path: String
    let status: rig_file
    /// Up to the greatest number for all of it.
    let range: Range<Int64>

    var identity: Recorder.Identity { Recorder.Identity(status) }
    var length: Int64 { range.upperBound == .max ? .max : range.upperBound - range.lowerBound }
}

extension Scope {
    /// The parts of files that a call syncs; a folder has none.
    func syncedParts(of call: SystemCall, _ target: CallTarget) -> [SyncedPart] {
        switch target {
        case .file(let descriptor, let path, let status):
            let isOfRange = call.effect == .syncRange
            let start = max(0, isOfRange ? call.size(1) : 0)
            let (end, isBeyond) = start.addingReportingOverflow(call.size(2))
            let isPart = isOfRange && call.size(2) > 0 && !isBeyond
            // After its close, a descriptor leads nowhere.
            let place = call.effect == .close ? path : "/proc/\(call.thread)/fd/\(descriptor)"
            return [
                SyncedPart(
                    place: place, path: path, status: status,
                    range: start..<(isPart ? end : Int64.max))
            ]
        case .mappings(let parts): return parts
        case .everything:
            guard let folder else { return [] }
            return FolderScan.entries(of: folder).filter(\.status.isRegular).map {
                SyncedPart(place: $0.path, path: $0.path, status: $0.status, range: 0..<Int64.max)
            }
        default: return []
        }
    }
}

extension Recorder {
    /// Records that a sync has failed, and lets a reader see what it sees then.
    func noteFailedSync(
        of parts: [SyncedPart], _ failure: FailedSync, by thread: pid_t
    ) throws(StorageLogError) {
        for part in parts {
            let file = try file(part.status, path: part.path)
            let failed = StorageOperation.Kind.syncFailed(
                file: file, offset: part.range.lowerBound, length: part.length, failure)
            if failure == .reverted { try putBack(part, of: file, failed) }
            try note(failed, by: thread, result: 0)
        }
    }

    /// Gives a file the content that the disk has, where it is not synced.
    private func putBack(
        _ part: SyncedPart, of file: FileID, _ failed: StorageOperation.Kind
    ) throws(StorageLogError) {
        let ranges: [Range<Int64>]
        let old: SparseBytes
        do {
            var replay = try StorageReplay(of: StorageLog(path: writer.path), on: .btrfs)
            ranges = replay.unsynced(of: file, in: part.range)
            try replay.perform(StorageOperation(ordinal: Int.max, threadID: 1, kind: failed))
            old = replay.seen(of: file) ?? SparseBytes()
        } catch let error as StorageLogError {
            throw error
        } catch {
            throw .system(path: writer.path, message: "\(error)")
        }
        // Another file may have the name by now, or none: no launch finds this one then.
        guard !ranges.isEmpty, Tracee.status(part.place).map(Identity.init) == part.identity
        else { return }
        let descriptor = open(part.place, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            return try noteUnseen("what \(scope.relative(part.path)) has after its failed sync")
        }
        defer { close(descriptor) }
        for range in ranges {
            for (offset, bytes) in old.parts(of: range.clamped(to: 0..<old.size)) {
                _ = WholeBytes.write(Array(bytes)) { part, done in
                    pwrite(descriptor, part.baseAddress, part.count, off_t(offset) + off_t(done))
                }
                mapped[file]?.note(Array(bytes), at: offset)
            }
        }
        if ranges.contains(where: { $0.upperBound > old.size }) {
            ftruncate(descriptor, off_t(old.size))
            mapped[file]?.noteZeros(in: old.size..<Int64.max)
        }
    }
}

extension TraceSettings {
    /// The syncs at a call on some paths; as these, the recorded folder's has no symbolic links.
    func syncs(
        _ edge: CallMoment.Edge, _ name: String, on paths: [String], below folder: String?
    ) -> [PlacedSync] {
        guard let folder = folder.map(PlacedSync.literal) else { return [] }
        return placedSyncs.filter { sync in
            sync.edge == edge && sync.call == name
                && paths.contains { fnmatch("\(folder)/\(sync.on)", $0, 0) == 0 }
        }
    }
}

extension Recorder {
    /// Makes syncs in the place of the program, which is stopped, and records them.
    ///
    /// The files are the same for every process. The paths are those of the call they come with.
    func make(_ syncs: [PlacedSync], on paths: [String], by thread: pid_t) throws(StorageLogError) {
        guard let folder = scope.folder else { return }
        for sync in syncs {
            let found =
                sync.target == PlacedSync.renamed
                ? Array(paths.prefix(1)) : Self.paths(matching: sync.target, below: folder)
            for path in found { try make(sync, of: path, by: thread) }
        }
    }

    private static func paths(matching target: String, below folder: String) -> [String] {
        // The recorded folder itself.
        if target == "." { return [folder] }
        var found = glob_t()
        defer { globfree(&found) }
        let pattern = "\(PlacedSync.literal(folder))/\(target)"
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in
            found.gl_pathv[index].map { String(cString: $0) }
        }
    }

    private func make(
        _ sync: PlacedSync, of path: String, by thread: pid_t
    ) throws(StorageLogError) {
        let isFolder = sync.kind == .folder
        guard let status = Tracee.status(path), status.isFolder == isFolder else { return }
        let file = isFolder ? nil : try file(status, path: path)
        if let file, mapped[file] == nil, untouched[sync]?.contains(file) == true { return }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var operation = StorageOperation.Kind.syncDirectory(path: scope.relative(path))
        if let file {
            try noteChanges(of: file, at: path, by: thread)
            operation = .syncFile(file: file, dataOnly: sync.kind == .data)
        }
        let result = sync.kind == .data ? fdatasync(descriptor) : fsync(descriptor)
        try note(operation, by: thread, result: Int64(result))
        if let file, result == 0 { untouched[sync, default: []].insert(file) }
    }
}
