package import RigModel

/// The files of a folder as a power cut can have left them.
///
/// The same log, moment and seed give the same image, and each seed one of the outcomes that the
/// model allows.
///
/// **The model.** What was synced is certain. For the rest, the kernel's own work decides, at
/// moments that nothing tells: it commits the journal (ext4: every 5 s, and at any program's
/// fsync), and it writes data. So a state is a commit and what was written by then and since
/// (``StorageReplay``, ``JournalledFile``); ``DiskModel`` says what each file system does, with its
/// place in the kernel, and docs/kills.md has the table. For every disk but
/// ``RigModel/DiskModel/posix``:
///
/// - *Names and lengths that were set explicitly* are committed in order: an image has a first part
///   of them. Each change is atomic, a rename too.
/// - *Syncs.* fsync and fdatasync make a file's content and length certain, and commit the journal
///   as far as the file's own last change; of what the program did after that, nothing is certain.
/// - *A sync that failed* makes the kernel forget what it was to write: that is on no disk, unless
///   its page is written again (``FailedSync``).
/// - *Data in blocks that the file has on the disk* is there, missing or torn: each sector of 512
///   bytes is the new one or an older one, in any order. A sector is never a mixture.
/// - *Data in new blocks* comes by whole blocks, from the file's start on.
/// - A call that had not returned may have done its work, or a part of it, or nothing.
/// - What was stored through mapped memory counts as written before the next sync of the file, or
///   at the end: it is found by comparing the file then. msync makes its range certain.
/// - *Modes, owners, times and extended attributes* are committed as lengths are; a file has those
///   of its creation since it is there. A folder has those that it had at last.
/// - A file of which it is not known what became of it (`FALLOC_FL_COLLAPSE_RANGE`) is absent.
///
/// Durability of the folder itself, and disks that lie about a sync, are outside the model.
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

    /// The cuts right before and right after each sync of a log, in order.
    ///
    /// Between two of them nothing becomes certain: with many seeds they show every effect of a
    /// sync.
    package static func syncPoints(of log: StorageLog) -> [Int] {
        let syncs = log.operations.indices.filter { log.operations[$0].kind.isSync }
        return Set(syncs.flatMap { [$0, $0 + 1] } + [log.operations.count]).sorted()
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

/// Why no image can be built.
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

extension StorageOperation.Kind {
    fileprivate var isSync: Bool {
        switch self {
        case .syncFile, .syncRange, .syncDirectory, .syncAll, .syncFailed: true
        default: false
        }
    }
}
