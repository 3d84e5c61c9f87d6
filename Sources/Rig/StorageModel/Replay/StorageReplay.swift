package import RigModel

/// Replays a storage log, and separates what is certain from what a power cut may take.
package struct StorageReplay: Sendable {
    /// A change of a name, or, for `posix`, of a length.
    struct Entry {
        /// The change of names; nil for a change of a file's length, which is kept with the file.
        var change: NameChange?
        var time: Int
        var part = 0
        var returned: Bool
        /// True for a name that is certain by itself, as only `posix` has them.
        var isCertain = false
    }

    let disk: DiskModel
    private(set) var files: [FileID: UnsyncedFile] = [:]
    package private(set) var mapped: [FileID: UInt64] = [:]
    package private(set) var unrecorded: Set<FileID> = []
    /// What the program did to files that the log does not have, in words.
    package private(set) var unseen: [String] = []
    /// Files and paths that a call was changing that had not returned.
    package private(set) var underWay: (files: Set<FileID>, paths: [String]) = ([], [])
    private(set) var entries: [Entry] = []
    private var time = 0
    private(set) var ordinals: [Int] = []
    /// The last operation that is certainly committed, with all before it.
    private(set) var certain = 0
    /// The last operation that changed a folder's names.
    private var folderChanges: [String: Int] = [:]
    /// The folders' attributes, by all paths that they have had.
    private var folderAttributes: [String: FileAttributes] = [:]
    /// What was written to a log beside the commits, where the file system has one.
    private var logs: [LoggedNames] = []
    package private(set) var names = NameTree()
    /// True once the program has done something: whether what comes in later was synced is unknown.
    private var hasBegun = false

    init(on disk: DiskModel) { self.disk = disk }

    /// Replays a log's first operations, so many as had begun when the power failed; nil for all.
    package init(of log: StorageLog, cut: Int? = nil, on disk: DiskModel) throws(CrashImageError) {
        self.init(on: disk)
        for operation in log.operations.prefix(cut ?? log.operations.count) {
            try perform(operation)
        }
    }

    /// Applies the program's next operation; a sync that had not returned makes nothing certain.
    package mutating func perform(_ operation: StorageOperation) throws(CrashImageError) {
        if operation.threadID != 0 { hasBegun = true }
        time += 1
        ordinals.append(operation.ordinal)
        if !operation.returned {
            underWay.paths += operation.kind.nameChange?.paths ?? []
            if let file = operation.kind.file { underWay.files.insert(file) }
        }
        switch operation.kind {
        case .existing, .existingDirectory: begin(operation)
        case .syncFile, .syncRange, .syncFailed, .syncDirectory, .syncAll: try sync(operation)
        case .attributes(let file, let attributes, isInitial: true):
            files[file]?.begin(with: attributes, at: time)
        case .openTruncate, .write, .truncate, .allocate, .punchHole, .attributes:
            try change(operation)
        case .folderAttributes(let path, let attributes): folderAttributes[path] = attributes
        case .create(_, let file), .link(let file, _):
            if files[file] == nil {
                files[file] = UnsyncedFile()
                files[file]?.note(changeAt: time, ofData: true)
            }
            name(operation)
        case .rename, .exchange, .remove, .makeDirectory, .removeDirectory, .symbolicLink:
            name(operation)
        case .closed(let file): files[file]?.change(.writeOut, at: time)
        case .mapped(let file, let inode): mapped[file] = inode
        case .unrecorded(let file): unrecorded.insert(file)
        case .unseen(let what): unseen.append(what)
        }
    }

    /// Adds what existed: certain before the program started, uncertain when it came in later.
    private mutating func begin(_ operation: StorageOperation) {
        if case .existing(_, let file, let bytes) = operation.kind {
            var known = UnsyncedFile()
            known.change(.write(bytes, at: 0), at: time)
            if !hasBegun { known.sync() }
            files[file] = known
        }
        name(operation)
    }

    private mutating func name(_ operation: StorageOperation) {
        guard let change = operation.kind.nameChange else { return }
        if case .rename(let source, let target) = change,
            case .file(let file) = names.nodes[source], case .file = names.nodes[target]
        {
            files[file]?.change(.writeOut, at: time)
        }
        let parts = disk.hasJournal ? [change] : names.parts(of: change)
        for (index, part) in parts.enumerated() {
            entries.append(
                Entry(change: part, time: time, part: index, returned: operation.returned))
        }
        for file in change.paths.compactMap({ names.file(at: $0) }) + change.addedFiles {
            files[file]?.note(changeAt: time, ofData: disk.namesAreData)
        }
        for folder in change.folders { folderChanges[folder] = time }
        if case .rename(let source, let target) = change, names.nodes[source] == .folder {
            moveFolder(source, to: target)
        }
        if !hasBegun { certain = time }
        names.apply(change)
    }

    /// What is known of a folder and those in it goes with them; the rename is a change of its own
    /// inode, too (`xfs_rename` in fs/xfs/xfs_inode.c).
    private mutating func moveFolder(_ source: String, to target: String) {
        for (path, attributes) in folderAttributes where NameTree.isPath(path, in: source) {
            folderAttributes[target + path.dropFirst(source.count)] = attributes
        }
        for (path, change) in folderChanges where NameTree.isPath(path, in: source) {
            folderChanges[target + path.dropFirst(source.count)] = change
        }
        folderChanges[target] = time
    }

    private mutating func change(_ operation: StorageOperation) throws(CrashImageError) {
        guard let file = operation.kind.subject else { return }
        guard let length = files[file]?.length else {
            throw .unknownFile(file, ordinal: operation.ordinal)
        }
        if case .attributes(_, let new, _) = operation.kind, disk.namesAreData {
            var before = files[file]?.attributes() ?? .standard(isFolder: false)
            before.modified = new.modified
            // XFS leaves times alone to the journal (`XFS_ILOG_TIMESTAMP`).
            if before != new { files[file]?.note(changeAt: time, ofData: true) }
        }
        let changes = operation.kind.fileChanges(length: length)
        for (part, change) in changes.enumerated() {
            var entry: Int?
            if !disk.hasJournal, change.written == nil {
                entry = entries.count
                entries.append(
                    Entry(change: nil, time: time, part: part, returned: operation.returned))
            }
            files[file]?.change(change, at: time, entry: entry, returned: operation.returned)
        }
    }

    private mutating func sync(_ operation: StorageOperation) throws(CrashImageError) {
        guard operation.returned else { return }
        switch operation.kind {
        case .syncFile(let file, let dataOnly):
            let isOfAll = !dataOnly || disk.logsFiles
            try sync(file, operation) { $0.sync(dataOnly: !isOfAll) }
            commit(changesOf: file, dataOnly: dataOnly)
        case .syncFailed(let file, let offset, let length, let failure):
            let range = pages(from: offset, length)
            try sync(file, operation) { [time, disk] known in
                known.fail(failure, of: range, on: disk, at: time)
            }
            if failure == .journalled || failure == .late {
                commit(changesOf: file, dataOnly: false)
            }
        case .syncRange(let file, let offset, let length):
            let range = pages(from: offset, length)
            try sync(file, operation) { $0.sync(range, dataOnly: true) }
            commit(changesOf: file, dataOnly: true)
        case .syncDirectory(let folder): syncFolder(folder)
        default:
            for file in files.keys { files[file]?.sync() }
            certain = time
        }
    }

    private mutating func sync(
        _ file: FileID, _ operation: StorageOperation, by sync: (inout UnsyncedFile) -> Void
    ) throws(CrashImageError) {
        guard var known = files[file] else { throw .unknownFile(file, ordinal: operation.ordinal) }
        sync(&known)
        files[file] = known
    }

    /// A file's sync commits the journal as far as the file's own last change.
    ///
    /// What followed is in the same transaction, unless that was committed before: which of the two
    /// is the case, the kernel's own commits decide (`ext4_fsync_journal`, `xfs_fsync_flush_log`).
    private mutating func commit(changesOf file: FileID, dataOnly: Bool) {
        guard let known = files[file] else { return }
        let change = dataOnly ? known.lastDataChange : known.lastChange
        if disk.logsFiles {
            logs.append(LoggedNames(of: file, in: names, at: time))
        } else if disk.hasJournal {
            certain = max(certain, change)
        }
    }

    private mutating func syncFolder(_ folder: String) {
        if disk.commitsAllWithFolder {
            certain = time
        } else if disk.logsFiles {
            logs.append(LoggedNames(in: folder, of: names, at: time))
        } else if disk.hasJournal {
            certain = max(certain, folderChanges[folder] ?? 0)
        } else {
            // What was made in it under an earlier name is in it still.
            var name = folder
            for index in entries.indices.reversed() {
                guard let change = entries[index].change else { continue }
                if change.folders.contains(name) { entries[index].isCertain = true }
                name = change.former(name)
            }
        }
    }

    /// The range that a sync of a part of a file is about: data is written by whole pages.
    private func pages(from offset: Int64, _ length: Int64) -> Range<Int64> {
        guard length < Int64.max - offset - Block.size else { return offset..<Int64.max }
        let range = offset..<offset + length
        return disk.hasJournal ? Block.whole(range) : range
    }

    package func unsynced(of file: FileID, in range: Range<Int64>) -> [Range<Int64>] {
        files[file]?.unsynced(in: range).compactMap(\.written) ?? []
    }

    package func seen(of file: FileID) -> SparseBytes? { files[file]?.cached }

    /// A file's content by the log; nil without a name, as another may have its inode by now.
    package func content(of file: FileID) -> SparseBytes? {
        names.files.contains(file) ? files[file]?.cached : nil
    }

    func afterCut(using choices: inout Choices) -> CrashImage {
        let committed =
            disk.hasJournal
            ? choices.commit(certain...time, among: commits)
            : choices.decided == nil ? choices.moment(certain...time) : time
        let kept = keptEntries(committed, using: &choices)
        let names = names(committed: committed, kept: kept, using: &choices)
        var contents: [FileID: SparseBytes] = [:]
        var attributes: [FileID: FileAttributes] = [:]
        // In a fixed order, so that the same seed gives each file the same result.
        for file in names.files.sorted(by: { $0.number < $1.number }) {
            guard let known = files[file] else { continue }
            contents[file] =
                disk.hasJournal
                ? JournalledFile.afterCut(
                    of: known, on: disk, committed: committed, using: &choices)
                : known.afterCut(kept: kept, using: &choices)
            attributes[file] = known.attributes { item in
                item.entry.map(kept) ?? (item.time <= committed)
            }
        }
        return CrashImage(
            names: names, contents: contents, attributes: attributes,
            folderAttributes: folderAttributes.filter { names.nodes[$0.key] == .folder })
    }

    /// The names after a cut: of the entries that are kept, and of logs beside the last commit.
    func names(committed: Int, kept: (Int) -> Bool, using choices: inout Choices) -> NameTree {
        var names = NameTree()
        for index in entries.indices where kept(index) {
            let entry = entries[index]
            guard let change = entry.change,
                entry.returned || choices.isCarriedOut(entry.time, part: entry.part)
            else { continue }
            names.apply(change)
        }
        for log in logs where log.time > committed {
            log.apply(to: &names, after: folderMoves(after: committed, to: log.time))
        }
        names.drop(unrecorded)
        if !disk.hasJournal { names.dropUnreachable() }
        return names
    }

    /// The commits between which names or contents after a cut differ, the last one first.
    var commits: [Int] {
        var times: Set = [certain, time]
        times.formUnion(entries.map(\.time) + logs.map(\.time))
        for file in files.values { times.formUnion(file.pending.map(\.time)) }
        return times.filter { (certain...time).contains($0) }.sorted(by: >)
    }

    func pendingCount(of file: FileID, upTo committed: Int) -> Int {
        files[file]?.pending.prefix { $0.time <= committed }.count ?? 0
    }

    private func folderMoves(after first: Int, to last: Int) -> [(from: String, to: String)] {
        entries.filter { $0.time > first && $0.time <= last }.compactMap { entry in
            guard case .rename(let from, let to) = entry.change else { return nil }
            return (from, to)
        }
    }

    func keptEntries(_ committed: Int, using choices: inout Choices) -> (Int) -> Bool {
        if disk.hasJournal { return { entries[$0].time <= committed } }
        let chance = choices.decided == nil ? choices.odds([0, 0.05, 0.5, 0.95, 1]) : 1
        let kept = entries.map { entry in
            entry.time <= certain || entry.isCertain
                || choices.keeps(entry.time, part: entry.part, chance: chance)
        }
        return { kept[$0] }
    }
}
