internal import RigModel

/// The places of a recorded life that make the same kind of call on the same paths, which count as
/// the same where they differ by numbers alone.
///
/// What was found for one place is kept for its likes.
final class LikePlaces {
    private struct Shape: Hashable {
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

    /// What is to be synced at all places of a shape.
    private struct Question: Hashable {
        let shape: Shape
        let pattern: String
        /// Stands for its kind.
        let cost: Int
    }

    private let log: StorageLog
    /// Of each operation that is a counted call of the program.
    private var shapes: [Shape?] = []
    private var counts: [Shape: Int] = [:]
    /// The pattern of a file's first path before each operation.
    private var patterns: [FileID: [String?]] = [:]
    private var known: [Question: [(place: Int, sync: SyncCure.Sync)]] = [:]

    init(of log: StorageLog) {
        self.log = log
        walk { operation, names in
            let shape = operation.isMade ? Shape(operation, names) : nil
            shapes.append(shape)
            if let shape { counts[shape, default: 0] += 1 }
        }
    }

    private func walk(_ visit: (StorageOperation, NameTree) -> Void) {
        var names = NameTree()
        for operation in log.operations {
            visit(operation, names)
            if let change = operation.kind.nameChange { names.apply(change) }
        }
    }

    /// A sync at each like place, before the call there, or by itself where none follows it.
    func everywhere(_ sync: SyncCure.Sync) -> [SyncCure.Sync] {
        guard let own = log.operations.firstIndex(where: { $0.isMade && $0.ordinal > sync.after }),
            let shape = shapes[own], counts[shape] != 1,
            let pattern = pattern(of: sync.target, at: own)
        else { return [sync] }
        let question = Question(shape: shape, pattern: pattern, cost: sync.target.cost)
        let like = known[question] ?? places(question, of: sync.target)
        known[question] = like
        return [sync] + like.filter { $0.place != own }.map(\.sync)
    }

    private func places(
        _ question: Question, of target: SyncCure.Sync.Target
    ) -> [(place: Int, sync: SyncCure.Sync)] {
        var found: [(place: Int, sync: SyncCure.Sync)] = []
        var names = NameTree()
        // Those that have such a path; nil when the names have changed.
        var targets: [SyncCure.Sync.Target]?
        var last = 0
        for (place, operation) in log.operations.enumerated() {
            if shapes[place] == question.shape {
                let here = targets ?? target.like(question.pattern, in: names)
                targets = here
                found += here.map { (place: place, sync: SyncCure.Sync(target: $0, after: last)) }
            }
            if let change = operation.kind.nameChange {
                names.apply(change)
                targets = nil
            }
            last = operation.ordinal
        }
        return found
    }

    /// The pattern of a target's path before an operation; nil for a file without a name.
    private func pattern(of target: SyncCure.Sync.Target, at place: Int) -> String? {
        switch target {
        case .folder(let path): return PlacedSync.pattern(of: path)
        case .data(let file), .file(let file):
            if patterns[file] == nil {
                var found: [String?] = []
                walk { _, names in
                    found.append(names.paths(of: file).first.map(PlacedSync.pattern(of:)))
                }
                patterns[file] = found
            }
            return patterns[file]?[place]
        }
    }
}

extension SyncCure.Sync.Target {
    /// What the same sync is of at another place: all that has such a path, as the tracer does it.
    fileprivate func like(_ pattern: String, in names: NameTree) -> [Self] {
        let paths = (names.nodes.keys.sorted() + ["."])
            .filter { PlacedSync.pattern(of: $0) == pattern }
        return switch self {
        case .data: paths.compactMap(names.file).map(Self.data)
        case .file: paths.compactMap(names.file).map(Self.file)
        case .folder: paths.filter { $0 == "." || names.nodes[$0] == .folder }.map(Self.folder)
        }
    }
}

extension StorageOperation { fileprivate var isMade: Bool { threadID != 0 && call != nil } }

extension NameTree {
    func paths(of file: FileID) -> [String] {
        nodes.filter { $0.value == .file(file) }.keys.sorted()
    }
}
