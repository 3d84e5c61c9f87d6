package import RigModel

extension StorageReplay {
    /// What of each file is not synced now, by path; names alone count for their folder.
    package var unsyncedFiles: [UnsyncedFileFacts] {
        var found: [String: (operations: Int, bytes: Int64)] = [:]
        let changes = Dictionary(
            entries.map { (ordinals[$0.time - 1], $0.change) }, uniquingKeysWith: { one, _ in one })
        let paths = Dictionary(
            names.nodes.map { ($0.value, $0.key) }, uniquingKeysWith: { min($0, $1) })
        for operation in unsynced {
            var path = "."
            if let file = operation.file {
                path = paths[.file(file)] ?? "a file without a name"
            } else if let change = changes[operation.ordinal] ?? nil {
                path = change.folders.min() ?? "."
            }
            let known = found[path] ?? (0, 0)
            found[path] = (known.operations + 1, known.bytes + Int64(operation.written?.count ?? 0))
        }
        return found.sorted { $0.key < $1.key }.map {
            UnsyncedFileFacts(path: $0.key, operations: $0.value.operations, bytes: $0.value.bytes)
        }
    }
}
