internal import RigModel

extension StorageReplay {
    /// Why a folder is none of the outcomes of a power cut at this moment; nil if it is one.
    ///
    /// For each possible commit its names are compared, and each content with all that it allows.
    package func objection(to found: FoundFolder) -> String? {
        var objection: String?
        var farthest = -1
        var known: [Known: Bool] = [:]
        for committed in commits {
            let isMember = Choices.anyWay(most: 64) { choices in
                let kept = keptEntries(committed, using: &choices)
                let names = names(committed: committed, kept: kept, using: &choices)
                if let path = found.difference(from: names) {
                    if farthest < 0 { (objection, farthest) = ("the name \(path)", 0) }
                    return false
                }
                let right = rightFiles(of: found, names, committed, &known)
                if right.wrong != nil, right.count >= farthest {
                    farthest = right.count
                    objection = right.wrong.map { "the content of \($0)" }
                }
                return right.wrong == nil
            }
            if isMember == true { return nil }
        }
        return objection ?? "everything"
    }

    private struct Known: Hashable {
        let file: FileID
        let path: String
        let committed: Int
    }

    /// The first file whose content no cut after a commit leaves, and how many are right before it.
    private func rightFiles(
        of found: FoundFolder, _ names: NameTree, _ committed: Int, _ known: inout [Known: Bool]
    ) -> (wrong: String?, count: Int) {
        let paths = names.nodes.keys.sorted()
        for (count, path) in paths.enumerated() {
            guard let file = names.file(at: path), mapped[file] == nil,
                let content = found.contents[path]
            else { continue }
            let pending = pendingCount(of: file, upTo: committed)
            let key = Known(file: file, path: path, committed: pending)
            let isRight =
                known[key] ?? files[file].map {
                    JournalledFile.admits(content, of: $0, on: disk, committed: committed)
                } ?? false
            known[key] = isRight
            if !isRight { return (path, count) }
        }
        return (nil, paths.count)
    }
}

extension JournalledFile {
    /// Whether a power cut can leave a content of a file.
    ///
    /// What is open for a whole file is gone through in every way; false when there are too many.
    /// Of an overwriting, each sector is the new one where that was found: but for a sector that
    /// was written, and then cut off in its middle.
    static func admits(
        _ content: SparseBytes, of file: UnsyncedFile, on disk: DiskModel, committed: Int
    ) -> Bool {
        Choices.anyWay(most: 20_000, aim: content) { choices in
            afterCut(of: file, on: disk, committed: committed, using: &choices).reads(as: content)
        } == true
    }
}

extension SurvivalOdds.Fate {
    /// What an overwriting must have done: each part is new where that was found.
    init(of range: Range<Int64>, _ cached: SparseBytes, toward aim: SparseBytes, by size: Int64) {
        self.init(sectors: [])
        let first = range.lowerBound / size * size
        for start in stride(from: first, to: range.upperBound, by: Int(size)) {
            let part = start..<start + size
            if cached.reads(as: aim, in: part) { sectors.append(part) }
        }
    }
}

package struct FoundFolder: Sendable {
    package enum Item: Sendable, Hashable {
        case folder
        case link(target: String)
        case file(size: Int64)
    }

    let items: [String: Item]
    let contents: [String: SparseBytes]

    package init(items: [String: Item], contents: [String: SparseBytes]) {
        (self.items, self.contents) = (items, contents)
    }

    /// The first name, in order, that is not as in a tree; nil if all are.
    func difference(from names: NameTree) -> String? {
        let paths = Set(items.keys).union(names.nodes.keys)
        return paths.sorted().first { path in
            switch (items[path], names.nodes[path]) {
            case (.folder, .folder), (.file, .file): false
            case (.link(let target), .symbolicLink(let other)): target != other
            default: true
            }
        }
    }
}
