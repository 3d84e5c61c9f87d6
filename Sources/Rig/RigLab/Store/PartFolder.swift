internal import Foundation
internal import Glibc
package import RigModel
internal import SystemPackage

/// Where a part of a run is written: under a temporary name until it is complete and on the disk.
///
/// A folder under the part's final name is therefore always complete, also after a power cut.
package struct PartFolder: Sendable {
    package let unfinished: RunFolder
    /// The part's path once it is complete: `part-3-of-8` in the folder of all parts.
    package let path: String

    package static let unfinishedSuffix = ".partial"

    package static func isUnfinished(_ name: String) -> Bool {
        name.hasPrefix(".part-") && name.hasSuffix(unfinishedSuffix)
    }

    /// A new part in the folder of all parts; by its run's name no two runs write to one folder.
    package init(_ partition: RunPartition, in parts: String, runID: String) throws {
        unfinished = try RunFolder(
            creating: "\(parts)/.\(partition.folderName).\(runID)\(Self.unfinishedSuffix)")
        path = "\(parts)/\(partition.folderName)"
    }

    /// An unfinished part that was left behind; nil if the folder's name is none of such a part.
    package init?(unfinished folder: RunFolder, partition: RunPartition) {
        let given = folder.path as NSString
        // A name such as "." does not tell, so the real path is used.
        let real = Self.isUnfinished(given.lastPathComponent) ? given : folder.realPath as NSString
        guard Self.isUnfinished(real.lastPathComponent) else { return nil }
        unfinished = folder
        let parts = real.deletingLastPathComponent
        path = "\(parts.isEmpty ? "." : parts)/\(partition.folderName)"
    }

    package var finished: RunFolder? { try? RunFolder(existing: path) }

    /// Gives the part its final name once it is on the disk; nil if another rig was quicker.
    package func finish() throws -> RunFolder? {
        let isFirst = try SystemFailure.explained(
            "cannot finish the part \(unfinished.path)",
            ", and finish it with rig resume \(ShellWord.quoted(unfinished.path))"
        ) {
            try Self.sync(unfinished.path)
            guard rename(unfinished.path, path) == 0 else {
                let code = Errno(rawValue: errno)
                guard [.directoryNotEmpty, .fileExists].contains(code) else { throw code }
                return false
            }
            let parts = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try Self.sync(file: parts, isFolder: true)
            return true
        }
        return isFirst ? try RunFolder(existing: path) : nil
    }

    package func discard() { try? Removal.remove(unfinished.path) }

    /// Waits until a folder and everything in it is on the disk.
    private static func sync(_ folder: String) throws {
        let files = FileManager.default
        for name in try files.subpathsOfDirectory(atPath: folder) {
            let path = "\(folder)/\(name)"
            let type = try files.attributesOfItem(atPath: path)[.type] as? FileAttributeType
            // Anything else that a worker left, such as links and sockets, is written with its
            // folder.
            guard type == .typeRegular || type == .typeDirectory else { continue }
            try sync(file: path, isFolder: type == .typeDirectory)
        }
        try sync(file: folder, isFolder: true)
    }

    private static func sync(file path: String, isFolder: Bool) throws {
        let file = try path.opened(.readOnly)
        defer { try? file.close() }
        guard fsync(file.rawValue) != 0 else { return }
        let code = Errno(rawValue: errno)
        // Some network file systems cannot fsync a folder, and do not need to.
        if isFolder, code == .invalidArgument { return }
        throw code
    }
}
