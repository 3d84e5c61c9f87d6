internal import RigModel

/// The cases of a sweep that stand for others of the same kind.
struct SweepGroups {
    /// What operations have in common that are much alike.
    fileprivate struct Group: Hashable {
        let kind: Kind
        /// Where in the program the call was made, as a number for each call stack; nil for anywhere.
        var place: Int?
        /// The name of the file, or the last of those that are changed; nil for all files together.
        var path: String?

        func seen(by view: View) -> Group {
            switch view {
            case .kind: Group(kind: kind)
            case .place: Group(kind: kind, place: place)
            case .file: Group(kind: kind, path: path)
            }
        }
    }

    /// What operations are told apart by, besides their kind; one line of a program may change many
    /// files, and many lines one file.
    fileprivate enum View: CaseIterable { case kind, place, file }

    fileprivate enum Kind: Hashable {
        case write, length, attributes, name, removal, rename

        init(_ change: FileChange) {
            self =
                switch change {
                case .write: .write
                case .attributes: .attributes
                case .resize, .clear, .reserve, .writeOut: .length
                }
        }

        init(_ change: NameChange) {
            self =
                switch change {
                case .add: .name
                case .remove: .removal
                case .rename, .exchange: .rename
                }
        }
    }

    private struct Key: Hashable {
        enum Form: Hashable { case prefix, omission, tear(SweepCases.Unit?), pair(isOneFile: Bool) }

        let form: Form
        let group: Group
        var kept: Kind?
    }

    /// How many later operations stand beside the first one of a group.
    private static let reach = 1000

    private let cases: SweepCases
    private let groups: [Group]
    private let seed: UInt64

    /// The seed decides which operation stands for its group; `places` are those of the operations'
    /// calls, as far as they are known.
    init(
        of cases: SweepCases, in replay: StorageReplay, seed: UInt64, places: [Int: [StackPlace]]
    ) {
        (self.cases, self.seed) = (cases, seed)
        let known = replay.groups
        var numbers: [[StackPlace]: Int] = [:]
        groups = cases.operations.map { operation in
            var group = known[operation.ordinal] ?? Group(kind: .name, path: "")
            if let stack = places[operation.ordinal] {
                let number = numbers[stack] ?? numbers.count
                numbers[stack] = number
                group.place = number
            }
            return group
        }
    }

    /// One of each group: that in which nothing is lost, those of each kind, of each place in the
    /// program, and of each file.
    var representatives: [Int] {
        var order = [cases.number(of: .prefix(groups.count))]
        var known: Set<Key> = []
        let count = groups.count
        let from = count > 0 ? Int(seed % UInt64(count)) : 0
        for view in View.allCases {
            func add(_ form: Key.Form, _ group: Group, kept: Kind? = nil, _ one: SweepCases.Case) {
                let key = Key(form: form, group: group.seen(by: view), kept: kept)
                guard known.insert(key).inserted else { return }
                order.append(cases.number(of: one))
            }
            for index in (0..<count).map({ (from + $0) % count }) {
                let group = groups[index]
                add(.omission, group, .omission(index))
                for (number, tear) in cases.operations[index].tears.enumerated() {
                    add(.tear(tear.unit), group, .tear(index, number))
                }
                add(.prefix, group, .prefix(index))
            }
            for lost in firsts(by: view) {
                for kept in groups.indices[(lost + 1)...].prefix(Self.reach) {
                    let isOneFile = groups[lost].path == groups[kept].path
                    add(
                        .pair(isOneFile: isOneFile), groups[lost], kept: groups[kept].kind,
                        .pair(kept: kept, lost: lost))
                }
            }
        }
        return order.unique
    }

    private func firsts(by view: View) -> [Int] {
        var known: Set<Group> = []
        return groups.indices.filter { known.insert(groups[$0].seen(by: view)).inserted }
    }
}

extension SweepCases.Tear {
    fileprivate var unit: SweepCases.Unit? {
        if case .data(_, let unit) = self { unit } else { nil }
    }
}

extension StorageReplay {
    fileprivate var groups: [Int: SweepGroups.Group] {
        var paths: [FileID: String] = [:]
        for path in names.nodes.keys.sorted() {
            if let file = names.file(at: path), paths[file] == nil { paths[file] = path }
        }
        var groups: [Int: SweepGroups.Group] = [:]
        for (file, known) in files {
            for item in known.pending where item.change != .writeOut {
                groups[ordinals[item.time - 1]] = .init(
                    kind: .init(item.change), path: paths[file] ?? "")
            }
        }
        for entry in entries {
            guard let change = entry.change else { continue }
            // The parts of a rename: the new name comes first.
            groups[ordinals[entry.time - 1]] =
                entry.part == 0
                ? .init(kind: .init(change), path: change.paths.last)
                : .init(kind: .rename, path: groups[ordinals[entry.time - 1]]?.path)
        }
        return groups
    }
}
