package import RigModel

/// The files of a folder as a power cut can have left them, by a log, a moment and a seed.
///
/// What was synced is certain, and a call that had not returned may have done its work, a part of
/// it, or nothing. For the rest a state is a commit of the journal, at a moment that nothing tells,
/// and the data written by then and since; docs/kills.md has what each file system does. A file of
/// which it is not known what became of it is absent. Durability of the folder itself, and disks
/// that lie about a sync, are outside the model.
package struct CrashImage: Sendable, Hashable {
    package let names: NameTree
    package let contents: [FileID: SparseBytes]
    /// Where they are not those of most new files, or folders.
    package let attributes: [FileID: FileAttributes]
    package let folderAttributes: [String: FileAttributes]
}

extension CrashImage {
    /// The image after a log's first operations, or for nil all of them.
    package init(
        of log: StorageLog, cut: Int? = nil, on disk: DiskModel = .ext4, seed: UInt64
    ) throws(CrashImageError) {
        var choices = Choices(seed: seed)
        self = try StorageReplay(of: log, cut: cut, on: disk).afterCut(using: &choices)
    }

    package var paths: [String] { names.nodes.keys.sorted() }

    func without(_ path: String) -> Self {
        guard let file = names.file(at: path) else { return self }
        var names = names
        names.apply(.remove(path))
        let isThere = names.files.contains(file)
        return Self(
            names: names, contents: contents.filter { $0.key != file || isThere },
            attributes: attributes.filter { $0.key != file || isThere },
            folderAttributes: folderAttributes)
    }
}

package enum CrashImageError: Error, Hashable, CustomStringConvertible {
    case unknownFile(FileID, ordinal: Int)

    package var description: String {
        switch self {
        case .unknownFile(let file, let ordinal):
            "operation \(ordinal) of the storage log is about file \(file.number), which the log "
                + "does not know; record it again"
        }
    }
}
