/// Syncs that a program lacks, each with its place in a recorded life.
package struct SyncCure: Sendable, Hashable {
    /// One sync.
    package struct Sync: Sendable, Hashable {
        /// What is synced.
        package enum Target: Sendable, Hashable {
            /// A file's data, and its length: fdatasync.
            case data(FileID)
            /// A file: fsync.
            case file(FileID)
            /// A folder, which makes the names in it certain: fsync of the folder.
            case folder(String)

            /// The cheaper one first.
            fileprivate var cost: Int {
                switch self {
                case .data: 0
                case .file: 1
                case .folder: 2
                }
            }
        }

        package let target: Target
        /// The operation that it follows, by its ordinal.
        package let after: Int
    }

    /// The syncs, in order.
    package let syncs: [Sync]

    /// The log of a life in which the program had made these syncs, too.
    package func applied(to log: StorageLog) -> StorageLog {
        var ordinal = log.operations.last?.ordinal ?? 0
        let added = Dictionary(grouping: syncs, by: \.after)
        return StorageLog(
            operations: log.operations.flatMap { operation -> [StorageOperation] in
                [operation]
                    + (added[operation.ordinal] ?? []).map { sync in
                        ordinal += 1
                        return StorageOperation(
                            ordinal: ordinal, threadID: max(1, operation.threadID),
                            kind: sync.target.kind)
                    }
            })
    }

    /// The single syncs that could help against a cause, the cheapest first, and of those the latest
    /// place first: of the files of which something was lost, and of their folders, anywhere between
    /// what was lost and what was there without it.
    ///
    /// Without an operation that had to be there, only the place right after what was lost is known to
    /// be before the moment at which it had to be safe.
    package static func candidates(against cause: CrashCause, in log: StorageLog) -> [Sync] {
        var found: [Sync] = []
        for lost in cause.lost {
            guard let index = log.operations.firstIndex(where: { $0.ordinal == lost }) else {
                continue
            }
            let end =
                cause.kept.flatMap { kept in
                    log.operations.firstIndex { $0.ordinal == kept }
                } ?? index + 1
            guard index < end else { continue }
            for place in log.operations[index..<end].reversed() where place.threadID != 0 {
                for target in targets(for: log.operations[index].kind, in: log, upTo: place.ordinal)
                {
                    found.append(Sync(target: target, after: place.ordinal))
                }
            }
        }
        return found.sorted {
            $0.target.cost != $1.target.cost
                ? $0.target.cost < $1.target.cost : $0.after > $1.after
        }
    }

    /// What can be synced so that an operation is certain.
    private static func targets(
        for kind: StorageOperation.Kind, in log: StorageLog, upTo ordinal: Int
    ) -> [Sync.Target] {
        var names = NameTree()
        for operation in log.operations where operation.ordinal <= ordinal {
            if let change = operation.kind.nameChange { names.apply(change) }
        }
        let file = kind.subject ?? kind.nameChange?.paths.compactMap(names.file).first
        let paths =
            kind.nameChange?.paths
            ?? names.nodes.filter { $0.value == file.map(NameTree.Node.file) }.keys.sorted()
        let folders = Set(paths.map(NameTree.parent)).sorted()
        return (file.map { [.data($0), .file($0)] } ?? []) + folders.map(Sync.Target.folder)
    }
}

extension SyncCure.Sync.Target {
    fileprivate var kind: StorageOperation.Kind {
        switch self {
        case .data(let file): .syncFile(file: file, dataOnly: true)
        case .file(let file): .syncFile(file: file, dataOnly: false)
        case .folder(let path): .syncDirectory(path: path)
        }
    }
}
