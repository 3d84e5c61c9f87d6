internal import RigModel

/// What operations have in common that are much alike.
private struct OperationGroup: Hashable {
    let kind: Kind
    /// Where in the program the call was made, as a number for each call stack; nil for anywhere.
    var place: Int?
    /// The name of the file, or the last of those that are changed; nil for all files together.
    var path: String?

    /// What operations are told apart by, besides their kind; one line of a program may change many
    /// files, and many lines one file.
    enum View: CaseIterable { case kind, place, file }

    func seen(by view: View) -> Self {
        switch view {
        case .kind: Self(kind: kind)
        case .place: Self(kind: kind, place: place)
        case .file: Self(kind: kind, path: path)
        }
    }

    enum Kind: Hashable {
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
}

/// What cases have in common of which one stands for the others.
private struct CaseGroup: Hashable {
    enum Form: Hashable {
        case prefix, omission
        case tear(SweepCases.Unit?)
        case pair(isOneFile: Bool, kept: OperationGroup.Kind)
    }

    let form: Form
    let group: OperationGroup
}

extension SweepCases {
    /// How many later operations stand beside the first one of a group.
    private static let reach = 1000

    /// The numbers of cases that stand for others: that in which nothing is lost, and one of each
    /// kind, of each place in the program, and of each file.
    ///
    /// The seed decides which operation stands for its group; `places` are those of the operations'
    /// calls, as far as they are known.
    func representatives(in replay: StorageReplay, places: [Int: [StackPlace]]) -> [Int] {
        let groups = groups(in: replay, places: places)
        var order = [number(of: .prefix(groups.count))]
        var known: Set<CaseGroup> = []
        let from = groups.isEmpty ? 0 : Int(seed % UInt64(groups.count))
        for view in OperationGroup.View.allCases {
            func add(_ form: CaseGroup.Form, _ index: Int, _ one: Case) {
                let group = CaseGroup(form: form, group: groups[index].seen(by: view))
                if known.insert(group).inserted { order.append(number(of: one)) }
            }
            for index in groups.indices.map({ (from + $0) % groups.count }) {
                add(.omission, index, .omission(index))
                let tears = operations[index].tears
                // Of one unit, only the first can be another group's.
                for (part, tear) in tears.enumerated()
                where part == 0 || tear.unit != tears[part - 1].unit {
                    add(.tear(tear.unit), index, .tear(index, part))
                }
                add(.prefix, index, .prefix(index))
            }
            var firsts: Set<OperationGroup> = []
            for lost in groups.indices where firsts.insert(groups[lost].seen(by: view)).inserted {
                for kept in groups.indices[(lost + 1)...].prefix(Self.reach) {
                    let isOneFile = groups[lost].path == groups[kept].path
                    add(
                        .pair(isOneFile: isOneFile, kept: groups[kept].kind), lost,
                        .pair(kept: kept, lost: lost))
                }
            }
        }
        return order.unique
    }

    private func groups(
        in replay: StorageReplay, places: [Int: [StackPlace]]
    ) -> [OperationGroup] {
        let known = replay.groups
        var numbers: [[StackPlace]: Int] = [:]
        return operations.map { operation in
            var group = known[operation.ordinal] ?? OperationGroup(kind: .name, path: "")
            if let stack = places[operation.ordinal] {
                let number = numbers[stack] ?? numbers.count
                numbers[stack] = number
                group.place = number
            }
            return group
        }
    }
}

extension SweepCases.Tear {
    fileprivate var unit: SweepCases.Unit? {
        if case .data(_, let unit) = self { unit } else { nil }
    }
}

extension StorageReplay {
    fileprivate var groups: [Int: OperationGroup] {
        var paths: [FileID: String] = [:]
        for path in names.nodes.keys.sorted() {
            if let file = names.file(at: path), paths[file] == nil { paths[file] = path }
        }
        var groups: [Int: OperationGroup] = [:]
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
