internal import RigModel

/// Syncs that a program lacks, each with its place in a recorded life: where it makes a call of one
/// kind on files of one name, as often as the life comes there.
package struct SyncCure: Sendable, Hashable {
    package struct Sync: Sendable, Hashable {
        package enum Target: Sendable, Hashable {
            case data(FileID)
            case file(FileID)
            /// A folder, which makes the names in it certain: fsync of the folder.
            case folder(String)

            var cost: Int {
                switch self {
                case .data: 0
                case .file: 1
                case .folder: 2
                }
            }
        }

        package let target: Target
        package let after: Int
    }

    package let syncs: [Sync]

    /// The log of a life in which the program had made these syncs, too.
    package func applied(to log: StorageLog) -> StorageLog {
        let places = LikePlaces(of: log)
        return log.with(Set(syncs.flatMap(places.everywhere)))
    }

    /// The single syncs that could help against a cause, the cheapest and latest first: of the
    /// files of which something was lost, and of their folders, between that and what was there
    /// without it, or else right after what was lost.
    package static func candidates(against cause: CrashCause, in log: StorageLog) -> [Sync] {
        var found: [Sync] = []
        for lost in cause.lost {
            guard let index = log.index(of: lost) else { continue }
            let end = cause.kept.flatMap(log.index(of:)) ?? index + 1
            guard index < end else { continue }
            var names = NameTree()
            var targets: [Sync.Target]?
            for (at, place) in log.operations[..<end].enumerated() {
                if let change = place.kind.nameChange {
                    names.apply(change)
                    targets = nil
                }
                guard at >= index, place.threadID != 0 else { continue }
                let here = targets ?? Self.targets(for: log.operations[index].kind, in: names)
                targets = here
                found += here.map { Sync(target: $0, after: place.ordinal) }
            }
        }
        return found.sorted { ($0.target.cost, $1.after) < ($1.target.cost, $0.after) }
    }

    private static func targets(
        for kind: StorageOperation.Kind, in names: NameTree
    ) -> [Sync.Target] {
        let file = kind.subject ?? kind.nameChange?.paths.compactMap(names.file).first
        let paths = kind.nameChange?.paths ?? file.map(names.paths) ?? []
        let folders = Set(paths.map(NameTree.parent)).sorted()
        return (file.map { [.data($0), .file($0)] } ?? []) + folders.map(Sync.Target.folder)
    }
}

extension StorageLog {
    func index(of ordinal: Int) -> Int? { operations.firstIndex { $0.ordinal == ordinal } }

    func with(_ syncs: Set<SyncCure.Sync>) -> Self {
        var ordinal = operations.last?.ordinal ?? 0
        let added = Dictionary(grouping: syncs, by: \.after)
        return Self(
            operations: operations.flatMap { operation -> [StorageOperation] in
                // In an order that does not change from run to run.
                let syncs = (added[operation.ordinal] ?? []).sorted {
                    ($0.target.cost, "\($0.target)") < ($1.target.cost, "\($1.target)")
                }
                return [operation]
                    + syncs.map {
                        ordinal += 1
                        return StorageOperation(
                            ordinal: ordinal, threadID: max(1, operation.threadID),
                            kind: $0.target.kind)
                    }
            })
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
