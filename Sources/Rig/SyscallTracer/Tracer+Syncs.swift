internal import CPtrace
internal import Glibc
internal import RigModel
internal import StorageModel

extension TraceSettings {
    func syncs(_ edge: CallMoment.Edge, _ name: String, on paths: [String]) -> [PlacedSync] {
        guard let folder else { return [] }
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
                ? Array(paths.prefix(1)) : Self.paths(matching: "\(folder)/\(sync.target)")
            for path in found { try make(sync.kind, of: path, by: thread) }
        }
    }

    private static func paths(matching pattern: String) -> [String] {
        // A folder named as `.`, which is the recorded one.
        if pattern.hasSuffix("/.") { return [String(pattern.dropLast(2))] }
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { index in
            found.gl_pathv[index].map { String(cString: $0) }
        }
    }

    private func make(
        _ kind: PlacedSync.Kind, of path: String, by thread: pid_t
    ) throws(StorageLogError) {
        guard let status = Tracee.status(path), status.isFolder == (kind == .folder) else { return }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var operation = StorageOperation.Kind.syncDirectory(path: scope.relative(path))
        if kind != .folder {
            let file = try file(status, path: path)
            try noteChanges(of: file, at: path, by: thread)
            operation = .syncFile(file: file, dataOnly: kind == .data)
        }
        let result = kind == .data ? fdatasync(descriptor) : fsync(descriptor)
        try note(operation, by: thread, result: Int64(result))
    }
}
