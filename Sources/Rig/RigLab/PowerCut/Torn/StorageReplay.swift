internal import RigModel
internal import SyscallTracer

/// Replays a storage log, and separates what is certain from what a power cut may take.
struct StorageReplay: Sendable {
    /// One entry of the file system's journal.
    private struct Entry {
        /// The change of names; nil for a change of a file's length, which is kept with the file.
        var change: NameChange?
        var returned: Bool
        /// True for a name that is certain by itself, as only `posix` has them.
        var isCertain = false
    }

    private let disk: DiskModel
    private var files: [FileID: UnsyncedFile] = [:]
    /// Files that were mapped for writing, with their inodes.
    private(set) var mapped: [FileID: UInt64] = [:]
    /// Files of which it is not known what became of them.
    private var unrecorded: Set<FileID> = []
    private var journal: [Entry] = []
    /// How many of the journal's first entries are certain.
    private var certainEntries = 0
    /// The names that a program sees.
    private var names = NameTree()
    /// True once the program has done something: a file recorded as existing after that came from
    /// elsewhere, and whether it was synced there is not known.
    private var hasBegun = false

    /// Replays a log's first operations.
    ///
    /// - Parameters:
    ///   - log: what the program did.
    ///   - cut: how many operations had begun when the power failed; nil for all of them.
    ///   - disk: what the disk may do.
    /// - Throws: ``CrashImageError`` when an operation refers to a file that was not introduced.
    init(of log: StorageLog, cut: Int? = nil, on disk: DiskModel) throws(CrashImageError) {
        self.disk = disk
        for operation in log.operations.prefix(cut ?? log.operations.count) {
            try perform(operation)
        }
    }

    /// Applies the program's next operation; a sync that had not returned makes nothing certain.
    mutating func perform(_ operation: StorageOperation) throws(CrashImageError) {
        if operation.threadID != 0 { hasBegun = true }
        switch operation.kind {
        case .existing, .existingDirectory: begin(operation)
        case .syncFile, .syncRange, .syncDirectory, .syncAll: try sync(operation)
        case .openTruncate, .write, .truncate, .allocate, .punchHole: try change(operation)
        case .create(_, let file), .link(let file, _):
            if files[file] == nil { files[file] = UnsyncedFile() }
            name(operation)
        case .rename, .exchange, .remove, .makeDirectory, .removeDirectory, .symbolicLink:
            name(operation)
        case .mapped(let file, let inode): mapped[file] = inode
        case .unrecorded(let file): unrecorded.insert(file)
        }
    }

    /// Adds what existed: certain before the program started, uncertain when it came in later.
    private mutating func begin(_ operation: StorageOperation) {
        if case .existing(_, let file, let bytes) = operation.kind {
            var known = UnsyncedFile()
            known.change(.write(bytes, at: 0))
            if !hasBegun { known.sync() }
            files[file] = known
        }
        name(operation)
    }

    private mutating func name(_ operation: StorageOperation) {
        guard let change = operation.kind.nameChange else { return }
        if disk == .ext4, case .rename(let source, let target) = change,
            case .file(let file) = names.nodes[source], case .file = names.nodes[target]
        {
            files[file]?.flush(with: journal.count)
        }
        for part in disk == .posix ? names.parts(of: change) : [change] {
            journal.append(Entry(change: part, returned: operation.returned))
        }
        if !hasBegun { certainEntries = journal.count }
        names.apply(change)
    }

    private mutating func change(_ operation: StorageOperation) throws(CrashImageError) {
        guard
            let (file, change) = try operation.kind.fileChange(
                length: { file in
                    files[file]?.length
                }, ordinal: operation.ordinal)
        else { return }
        let entriesBefore = journal.count
        var entry: Int?
        if change.isJournalled {
            entry = journal.count
            journal.append(Entry(change: nil, returned: operation.returned))
        }
        files[file]?.change(
            change, entry: entry, entriesBefore: entriesBefore, returned: operation.returned)
    }

    private mutating func sync(_ operation: StorageOperation) throws(CrashImageError) {
        guard operation.returned else { return }
        switch operation.kind {
        case .syncFile(let file, _), .syncRange(let file, _, _):
            guard files[file] != nil else {
                throw .unknownFile(file, ordinal: operation.ordinal)
            }
            if case .syncRange(_, let offset, let length) = operation.kind {
                files[file]?.sync(offset..<offset + length)
            } else {
                files[file]?.sync()
            }
            if disk == .ext4 { certainEntries = journal.count }
        case .syncDirectory(let folder):
            syncFolder(folder)
        default:
            for file in files.keys { files[file]?.sync() }
            certainEntries = journal.count
        }
    }

    private mutating func syncFolder(_ folder: String) {
        func changes(_ entry: Entry) -> Bool { entry.change?.folders.contains(folder) ?? false }
        if disk == .posix {
            for index in certainEntries..<journal.count where changes(journal[index]) {
                journal[index].isCertain = true
            }
        } else if let last = journal.lastIndex(where: changes) {
            certainEntries = max(certainEntries, last + 1)
        }
    }

    /// What the log says of a file's content; nil for a file without a name, whose inode may be that
    /// of another one by now.
    func content(of file: FileID) -> SparseBytes? {
        names.files.contains(file) ? files[file]?.cached : nil
    }

    /// One of the outcomes of a power cut at this moment.
    ///
    /// - Parameter seed: decides everything that is not certain.
    /// - Returns: the image.
    func afterCut(seed: UInt64) -> CrashImage {
        var random = SplitMix64(seed: seed)
        let kept = keptEntries(using: &random)
        var names = NameTree()
        for index in journal.indices where kept(index) {
            let entry = journal[index]
            guard let change = entry.change, entry.returned || random.next() & 1 == 1 else {
                continue
            }
            names.apply(change)
        }
        names.drop(unrecorded)
        if disk == .posix { names.dropUnreachable() }
        var contents: [FileID: SparseBytes] = [:]
        // In a fixed order, so that the same seed gives each file the same result.
        for file in names.files.sorted(by: { $0.number < $1.number }) {
            contents[file] = files[file]?.afterCut(on: disk, kept: kept, using: &random)
        }
        return CrashImage(names: names, contents: contents)
    }

    /// Which of the journal's entries reach the disk.
    ///
    /// A journal in order is cut equally often after its certain entries, at its end, or between.
    private func keptEntries(using random: inout SplitMix64) -> (Int) -> Bool {
        if disk == .posix {
            let chances: [Double] = [0, 0.05, 0.5, 0.95, 1]
            let chance = chances.randomElement(using: &random) ?? 0.5
            let kept = journal.enumerated().map { index, entry in
                index < certainEntries || entry.isCertain || random.unit() < chance
            }
            return { kept[$0] }
        }
        let end =
            switch Int.random(in: 0..<3, using: &random) {
            case 0: certainEntries
            case 1: journal.count
            default: Int.random(in: certainEntries...journal.count, using: &random)
            }
        return { $0 < end }
    }
}

extension StorageOperation.Kind {
    /// The change that it makes to names; nil when none, or when the file has no name.
    fileprivate var nameChange: NameChange? {
        switch self {
        case .existing(let path, let file, _), .create(let path, let file),
            .link(let file, let path):
            path.isEmpty ? nil : .add(path, .file(file))
        case .existingDirectory(let path), .makeDirectory(let path): .add(path, .folder)
        case .symbolicLink(let path, let target): .add(path, .symbolicLink(target: target))
        case .remove(let path), .removeDirectory(let path): .remove(path)
        case .rename(let source, let target): .rename(source, to: target)
        case .exchange(let first, let second): .exchange(first, second)
        default: nil
        }
    }

    /// The change that it makes to a file's content; nil when none.
    ///
    /// - Parameters:
    ///   - length: the length of a file that is known.
    ///   - ordinal: the operation's.
    /// - Returns: the file, and its change.
    /// - Throws: ``CrashImageError`` for a file that is not known.
    fileprivate func fileChange(
        length: (FileID) -> Int64?, ordinal: Int
    ) throws(CrashImageError) -> (FileID, FileChange)? {
        func known(_ file: FileID) throws(CrashImageError) -> Int64 {
            guard let length = length(file) else { throw .unknownFile(file, ordinal: ordinal) }
            return length
        }
        switch self {
        case .openTruncate(let file):
            _ = try known(file)
            return (file, .resize(0))
        case .write(let file, let offset, let bytes):
            _ = try known(file)
            return (file, .write(bytes, at: offset))
        case .truncate(let file, let new):
            _ = try known(file)
            return (file, .resize(new))
        case .allocate(let file, let offset, let count, let keepsSize):
            let length = try known(file)
            return keepsSize || offset + count <= length ? nil : (file, .resize(offset + count))
        case .punchHole(let file, let offset, let count):
            let length = try known(file)
            let end = count > length - offset ? length : offset + count
            return offset < end ? (file, .clear(offset..<end)) : nil
        default: return nil
        }
    }
}
