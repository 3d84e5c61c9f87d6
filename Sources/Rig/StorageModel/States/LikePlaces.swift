internal import RigModel

/// The places of a recorded life that make the same kind of call on the same paths, which count as
/// the same where they differ by numbers or drawn names alone.
///
/// What was found for one place is kept for its likes.
final class LikePlaces {
    private struct Shape: Hashable {
        let name: String
        let paths: [String]
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
    private var patternsOfPaths: [String: String] = [:]
    private var known: [Question: [(place: Int, sync: SyncCure.Sync)]] = [:]

    init(of log: StorageLog) {
        self.log = log
        walk { operation, names in
            let shape = operation.isMade ? self.shape(operation, names) : nil
            shapes.append(shape)
            if let shape { counts[shape, default: 0] += 1 }
        }
    }

    private func shape(_ operation: StorageOperation, _ names: NameTree) -> Shape {
        let kind = operation.kind
        let paths =
            kind.nameChange?.paths ?? kind.subject.map { names.paths(of: $0) }
            ?? kind.folder.map { [$0] } ?? []
        return Shape(name: kind.name, paths: paths.map { patternOf($0) })
    }

    private func patternOf(_ path: String) -> String {
        if let known = patternsOfPaths[path] { return known }
        let pattern = PlacedSync.pattern(of: path)
        patternsOfPaths[path] = pattern
        return pattern
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
        // Where an earlier like place has synced the same, this one does nothing, and is left out:
        // all such places are one life.
        guard !like.isEmpty else { return [sync] }
        return like.map { $0.place == own && $0.sync.target == sync.target ? sync : $0.sync }
    }

    private func places(
        _ question: Question, of target: SyncCure.Sync.Target
    ) -> [(place: Int, sync: SyncCure.Sync)] {
        var found: [(place: Int, sync: SyncCure.Sync)] = []
        var names = NameTree()
        // Those that have such a path; nil when the names have changed.
        var targets: [SyncCure.Sync.Target]?
        // What something was done to since it was synced so: a sync of anything else does nothing.
        var touched: Set<SyncCure.Sync.Target> = []
        var last = 0
        for (place, operation) in log.operations.enumerated() {
            if shapes[place] == question.shape {
                let all = targets ?? target.like(question.pattern, in: names) { patternOf($0) }
                targets = all
                let renamed = target.renamed(by: operation.kind, in: names) {
                    patternOf($0) == question.pattern
                }
                for like in renamed ?? all where touched.contains(like) {
                    touched.remove(like)
                    found.append((place: place, sync: SyncCure.Sync(target: like, after: last)))
                }
            }
            touched.formUnion(target.touched(by: operation.kind, in: names))
            if let change = operation.kind.nameChange {
                if change.paths.count > 1, change.paths.contains(where: names.isFolder) {
                    touched.formUnion(touched.compactMap { $0.moved(by: change) })
                }
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
        case .folder(let path): return patternOf(path)
        case .data(let file), .file(let file):
            if patterns[file] == nil {
                var found: [String?] = []
                walk { _, names in
                    found.append(names.paths(of: file).first.map { patternOf($0) })
                }
                patterns[file] = found
            }
            return patterns[file]?[place]
        }
    }
}

extension SyncCure.Sync.Target {
    /// What the same sync is of at another place: all that has such a path, as the tracer does it.
    fileprivate func like(
        _ pattern: String, in names: NameTree, patternOf: (String) -> String
    ) -> [Self] {
        let paths = (names.nodes.keys.sorted() + ["."]).filter { patternOf($0) == pattern }
        return alike(
            paths.compactMap(names.file), paths.filter { $0 == "." || names.isFolder($0) })
    }

    /// Syncs of the same kind, of files or of folders.
    private func alike(_ files: [FileID], _ folders: [String]) -> [Self] {
        switch self {
        case .data: files.map(Self.data)
        case .file: files.map(Self.file)
        case .folder: folders.map(Self.folder)
        }
    }

    /// What it is of before a rename of such a file, which the tracer syncs and no other; nil for
    /// another call, or a folder.
    fileprivate func renamed(
        by kind: StorageOperation.Kind, in names: NameTree, isLike: (String) -> Bool
    ) -> [Self]? {
        if case .folder = self { return nil }
        guard case .rename(let source, _) = kind, isLike(source),
            let file = names.file(at: source)
        else { return nil }
        return alike([file], [])
    }

    /// What such a sync may be needed of after an operation, by the names before it.
    fileprivate func touched(by kind: StorageOperation.Kind, in names: NameTree) -> [Self] {
        let change = kind.nameChange
        let paths = change?.paths ?? []
        let files = paths.compactMap(names.file(at:)) + [kind.subject].compactMap(\.self)
        return alike(files, paths + (change?.folders ?? []))
    }

    /// The same folder, where it goes with one that is moved.
    fileprivate func moved(by change: NameChange) -> Self? {
        guard case .folder(let path) = self, let one = change.paths.first,
            let other = change.paths.last
        else { return nil }
        let moved =
            NameTree.moved(path, from: one, to: other) ?? NameTree.moved(path, from: other, to: one)
        return moved.map(Self.folder)
    }
}

extension StorageOperation { fileprivate var isMade: Bool { threadID != 0 && call != nil } }

extension NameTree {
    fileprivate func isFolder(_ path: String) -> Bool { nodes[path] == .folder }

    func paths(of file: FileID) -> [String] {
        nodes.filter { $0.value == .file(file) }.keys.sorted()
    }
}
