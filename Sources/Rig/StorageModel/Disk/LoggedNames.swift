/// The names that an fsync wrote to btrfs's log, which a mount applies to the last commit
/// (`btrfs_recover_log_trees` in fs/btrfs/tree-log.c).
struct LoggedNames: Sendable {
    /// Which operation of the program it was.
    let time: Int
    /// The file whose names they are; nil for the names of a folder.
    private let file: FileID?
    /// The folder whose names they are, as all that it holds.
    private let folder: String?
    private let nodes: [String: NameTree.Node]

    init(of file: FileID, in names: NameTree, at time: Int) {
        (self.time, self.file, folder) = (time, file, nil)
        nodes = names.nodes.filter { $0.value == .file(file) }
    }

    init(in folder: String, of names: NameTree, at time: Int) {
        (self.time, file, self.folder) = (time, nil, folder)
        nodes = names.nodes.filter { NameTree.parent(of: $0.key) == folder }
    }

    /// Gives the names of the last commit as they were logged, after renames of folders since then:
    /// a folder that the commit has keeps its name there, as only the file was logged.
    func apply(to names: inout NameTree, after moves: [(from: String, to: String)]) {
        // A folder that was renamed into the synced one, or within it, takes along what it holds.
        for (index, move) in moves.enumerated() where names.nodes[move.from] == .folder {
            let target = moves[(index + 1)...].reduce(move.to) { $0 == $1.from ? $1.to : $0 }
            if nodes[target] == .folder { names.apply(.rename(move.from, to: target)) }
        }
        var nodes = nodes
        for move in moves.reversed() where names.nodes[move.from] == .folder {
            let moved = nodes.filter { $0.key.hasPrefix(move.to + "/") }
            for (path, node) in moved {
                nodes[path] = nil
                nodes[move.from + path.dropFirst(move.to.count)] = node
            }
        }
        for (path, node) in names.nodes where nodes[path] != node {
            let isOld = file.map { node == .file($0) } ?? (NameTree.parent(of: path) == folder)
            if isOld { names.apply(.remove(path)) }
        }
        for (path, node) in nodes.sorted(by: { $0.key < $1.key }) {
            var parent = NameTree.parent(of: path)
            while parent != "." {
                if names.nodes[parent] == nil { names.apply(.add(parent, .folder)) }
                parent = NameTree.parent(of: parent)
            }
            names.apply(.add(path, node))
        }
        names.dropUnreachable()
    }
}
