internal import Foundation
package import RigModel
internal import StorageModel
internal import SyscallTracer

/// Whether a folder that a real power cut has left is a state of the model.
package enum RealCut {
    /// Why a folder is no state of the model (not `posix`), in words; nil if it is one; throws exit
    /// code 65 when log or folder cannot be read.
    ///
    /// Of a long log the states are too many to list, but names and contents of each commit can be
    /// compared, and each file by itself; not modes, owners, times and attributes, and files that
    /// were mapped for writing: what was in memory at the cut is not known.
    package static func objection(
        to folder: String, after log: String, on disk: DiskModel
    ) throws -> String? {
        let replay = try TornCut.replay(log: log, completedFrom: nil, on: disk)
        if let first = replay.unseen.first { throw RigError(.data, "the log lacks \(first)") }
        return replay.objection(to: try FoundFolder(reading: folder))
    }
}

extension FoundFolder {
    /// Reads a folder; throws exit code 65 when a file cannot be read.
    fileprivate init(reading folder: String) throws {
        let items = FolderScan.items(below: folder)
        var contents: [String: SparseBytes] = [:]
        for case (let path, .file) in items {
            guard let bytes = FileManager.default.contents(atPath: "\(folder)/\(path)") else {
                throw RigError(.data, "cannot read \(folder)/\(path)")
            }
            var content = SparseBytes()
            content.write(Array(bytes), at: 0)
            contents[path] = content
        }
        self.init(items: items, contents: contents)
    }
}
