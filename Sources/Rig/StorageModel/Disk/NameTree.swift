/// A change of names, which goes through a file system's journal.
enum NameChange: Sendable, Equatable {
    case add(String, NameTree.Node)
    case remove(String)
    case rename(String, to: String)
    case exchange(String, String)

    var folders: Set<String> { Set(paths.map(NameTree.parent)) }

    var paths: [String] {
        switch self {
        case .add(let path, _), .remove(let path): [path]
        case .rename(let first, let second), .exchange(let first, let second): [first, second]
        }
    }

    /// The path before it of what has a path after it.
    func former(_ path: String) -> String {
        switch self {
        case .add, .remove: path
        case .rename(let source, let target):
            NameTree.moved(path, from: target, to: source) ?? path
        case .exchange(let first, let second):
            NameTree.moved(path, from: first, to: second)
                ?? NameTree.moved(path, from: second, to: first) ?? path
        }
    }

    /// The files that get a name by it.
    var addedFiles: [FileID] { if case .add(_, .file(let file)) = self { [file] } else { [] } }
}

/// The names below a folder, and what they name.
package struct NameTree: Sendable, Hashable {
    package enum Node: Sendable, Hashable {
        case folder
        case file(FileID)
        case symbolicLink(target: String)
    }

    package private(set) var nodes: [String: Node] = [:]

    package func file(at path: String) -> FileID? {
        if case .file(let file) = nodes[path] { file } else { nil }
    }

    /// Applies a change; one to a name that is not there does nothing.
    mutating func apply(_ change: NameChange) {
        switch change {
        case .add(let path, let node): nodes[path] = node
        case .remove(let path):
            // A folder that was moved elsewhere takes along what it holds.
            let within = nodes[path] == .folder ? [String](subtree(path).keys) : [path]
            for path in within { nodes[path] = nil }
        case .rename(let source, let target):
            // A rename between two names of one file does nothing.
            guard let node = nodes[source], node == .folder || node != nodes[target] else { return }
            for (path, node) in subtree(source) {
                nodes[path] = nil
                nodes[target + path.dropFirst(source.count)] = node
            }
        case .exchange(let first, let second):
            let (ones, others) = (subtree(first), subtree(second))
            for path in [String](ones.keys) + others.keys { nodes[path] = nil }
            for (path, node) in ones { nodes[second + path.dropFirst(first.count)] = node }
            for (path, node) in others { nodes[first + path.dropFirst(second.count)] = node }
        }
    }

    /// The entries of folders that it consists of: a rename writes one name and removes another.
    func parts(of change: NameChange) -> [NameChange] {
        guard case .rename(let source, let target) = change, let node = nodes[source],
            node != .folder, node != nodes[target]
        else { return [change] }
        return [.add(target, node), .remove(source)]
    }

    mutating func dropUnreachable() {
        // Shorter paths first, so that a folder is decided on before what is in it.
        for path in nodes.keys.sorted(by: { $0.utf8.count < $1.utf8.count }) {
            let parent = Self.parent(of: path)
            if parent != ".", nodes[parent] != .folder { nodes[path] = nil }
        }
    }

    var files: Set<FileID> {
        Set(nodes.values.compactMap { if case .file(let file) = $0 { file } else { nil } })
    }

    mutating func drop(_ files: Set<FileID>) {
        nodes = nodes.filter { item in
            if case .file(let file) = item.value { !files.contains(file) } else { true }
        }
    }

    private func subtree(_ root: String) -> [String: Node] {
        nodes.filter { Self.isPath($0.key, in: root) }
    }

    static func isPath(_ path: String, in folder: String) -> Bool {
        path == folder || path.hasPrefix(folder + "/")
    }

    /// The new path of what is, or lies in, something that is moved; nil for anything else.
    static func moved(_ path: String, from source: String, to target: String) -> String? {
        isPath(path, in: source) ? target + path.dropFirst(source.count) : nil
    }

    static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
