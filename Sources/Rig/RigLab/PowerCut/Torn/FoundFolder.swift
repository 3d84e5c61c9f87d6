internal import Foundation
package import RigModel
internal import SyscallTracer

/// A folder as a real power cut has left it.
struct FoundFolder {
    /// What each path is.
    let items: [String: FolderScan.Item]
    /// The files' contents, by path.
    let contents: [String: SparseBytes]

    /// Reads a folder; throws exit code 65 when a file cannot be read.
    init(_ folder: String) throws {
        items = FolderScan.items(below: folder)
        var contents: [String: SparseBytes] = [:]
        for case (let path, .file) in items {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
                throw RigError(.data, "cannot read \(folder)/\(path)")
            }
            var content = SparseBytes()
            content.write(Array(bytes), at: 0)
            contents[path] = content
        }
        self.contents = contents
    }

    /// What is there, for tests.
    init(items: [String: FolderScan.Item], contents: [String: SparseBytes]) {
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

/// Whether a folder that a real power cut has left is a state of the model.
package enum RealCut {
    /// Compares a folder with the states of the model: those of a long log are too many to list, but
    /// names and contents of each commit can be compared, and each file by itself.
    ///
    /// Not compared are modes, owners, times and attributes, and files that were mapped for writing:
    /// what was in memory at the cut is not known.
    ///
    /// - Parameters:
    ///   - log: the path of the storage log.
    ///   - disk: the model; not `posix`.
    /// - Returns: why it is none, in words; nil if it is one.
    /// - Throws: ``RigModel/RigError`` with exit code 65 when log or folder cannot be read.
    package static func objection(
        to folder: String, after log: String, on disk: DiskModel
    ) throws -> String? {
        let replay = try TornCut.replay(log: log, completedFrom: nil, on: disk)
        if let first = replay.unseen.first { throw RigError(.data, "the log lacks \(first)") }
        return replay.objection(to: try FoundFolder(folder))
    }
}
