internal import StorageModel
internal import SyscallTracer

extension StorageReplay {
    /// What a program did to its files that is not in its log, in phrases; empty for nothing.
    ///
    /// The tracer says what it does not record, as far as it knows. The rest shows in a dead program's
    /// folder: it is not as the recorded calls leave it. A state made from such a log is none that a
    /// power cut leaves: what was written unseen is missing in it, and what was synced unseen counts
    /// as not synced.
    func unseen(in folder: String) -> [String] {
        let changed = changedUnseen(in: folder)
        guard let first = changed.first else { return unseen }
        let more = changed.count > 1 ? " and \(changed.count - 1) more" : ""
        return unseen + ["changes of \(first)\(more)"]
    }

    /// The paths that are not as the recorded calls leave them, in order.
    private func changedUnseen(in folder: String) -> [String] {
        var found = FolderScan.items(below: folder)
        var changed: [String] = []
        for (path, node) in names.nodes {
            let item = found.removeValue(forKey: path)
            if isUnderWay(path) || isRecorded(node, item, at: "\(folder)/\(path)") { continue }
            changed.append(path)
        }
        return (changed + found.keys.filter { !isUnderWay($0) }).sorted()
    }

    private func isUnderWay(_ path: String) -> Bool {
        underWay.paths.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    private func isRecorded(
        _ node: NameTree.Node, _ item: FoundFolder.Item?, at path: String
    ) -> Bool {
        switch (node, item) {
        case (.folder, .folder): return true
        case (.symbolicLink(let recorded), .link(let target)): return recorded == target
        case (.file(let file), .file(let size)):
            guard !underWay.files.contains(file) else { return true }
            guard !unrecorded.contains(file), let content = seen(of: file), content.size == size
            else { return false }
            var known = MappedFile(knowing: content.pieces)
            // Nil for a file that cannot be read: the rig cannot read it after the cut either.
            return known.changes(of: path)?.isEmpty ?? true
        default: return false
        }
    }
}
