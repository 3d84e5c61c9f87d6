internal import RigModel

/// Syncs that a program lacks, each with its place in a recorded life.
///
/// A place in a program is where it makes a call of one kind on files of one name: a sync is made at
/// each of them, as often as the life comes there.
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
        let added = Dictionary(grouping: Set(syncs.flatMap { $0.everywhere(in: log) }), by: \.after)
        return StorageLog(
            operations: log.operations.flatMap { operation -> [StorageOperation] in
                [operation]
                    + (added[operation.ordinal] ?? []).sorted(by: Sync.isBefore).map { sync in
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

extension SyncCure.Sync {
    /// In an order that does not change from run to run.
    fileprivate static func isBefore(_ one: Self, _ other: Self) -> Bool {
        (one.target.cost, "\(one.target)") < (other.target.cost, "\(other.target)")
    }

    /// The sync at each like place of a life: before the same kind of call on the same paths, or by
    /// itself where no call follows it.
    ///
    /// Paths that differ by numbers alone count as the same, as where a cure is carried out.
    func everywhere(in log: StorageLog) -> [Self] {
        guard let own = log.operations.first(where: { $0.isMade && $0.ordinal > after }) else {
            return [self]
        }
        var names = NameTree()
        var last = 0
        var (shape, pattern): (Shape?, String?)
        for operation in log.operations where operation.ordinal <= own.ordinal {
            if operation.ordinal == own.ordinal {
                (shape, pattern) = (Shape(operation, names), target.pattern(in: names))
            }
            if let change = operation.kind.nameChange { names.apply(change) }
        }
        guard let pattern else { return [self] }
        var found = [self]
        names = NameTree()
        for operation in log.operations {
            if operation.isMade, operation.ordinal != own.ordinal,
                Shape(operation, names) == shape
            {
                found += target.like(pattern, in: names).map { Self(target: $0, after: last) }
            }
            if let change = operation.kind.nameChange { names.apply(change) }
            last = operation.ordinal
        }
        return found
    }

    /// A kind of call, and the patterns of its paths.
    private struct Shape: Equatable {
        let name: String
        let paths: [String]

        init(_ operation: StorageOperation, _ names: NameTree) {
            let kind = operation.kind
            name = kind.name
            paths =
                (kind.nameChange?.paths ?? kind.subject.map { names.paths(of: $0) }
                ?? kind.folder.map { [$0] } ?? []).map(PlacedSync.pattern(of:))
        }
    }
}

extension SyncCure.Sync.Target {
    /// The pattern of its path; nil for a file without a name.
    fileprivate func pattern(in names: NameTree) -> String? {
        switch self {
        case .data(let file), .file(let file):
            names.paths(of: file).first.map(PlacedSync.pattern(of:))
        case .folder(let path): PlacedSync.pattern(of: path)
        }
    }

    /// What the same sync is of at another place: all that has such a path, as the tracer does it.
    fileprivate func like(_ pattern: String, in names: NameTree) -> [Self] {
        let paths = (names.nodes.keys.sorted() + ["."])
            .filter { PlacedSync.pattern(of: $0) == pattern }
        return switch self {
        case .data: paths.compactMap(names.file).map(Self.data)
        case .file: paths.compactMap(names.file).map(Self.file)
        case .folder:
            paths.filter { $0 == "." || names.nodes[$0] == .folder }.map(Self.folder)
        }
    }
}

extension StorageOperation {
    /// True for a counted call of the program.
    fileprivate var isMade: Bool { threadID != 0 && call != nil }
}

extension NameTree {
    /// The paths that name a file, in order.
    fileprivate func paths(of file: FileID) -> [String] {
        nodes.filter { $0.value == .file(file) }.keys.sorted()
    }
}
