internal import CPtrace
internal import Glibc
internal import RigModel
internal import StorageModel

/// Records what counted calls do, as they begin and as they return.
final class Recorder {
    struct Pending {
        fileprivate var ordinals: [Int] = []
        /// The result of one of them by its place, from the call's own.
        var result: (Int, Int64) -> Int64 = { $1 }
        /// Records what is known only when the call has succeeded, by its result.
        var whenDone: (Int64) throws(StorageLogError) -> Void = { _ in }
    }

    struct Identity: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ status: rig_file) { (device, inode) = (status.device, status.inode) }
    }

    let scope: Scope
    var writer: StorageLogWriter
    private let stacks: StackLogWriter?
    private(set) var files: [Identity: FileID] = [:]
    var mapped: [FileID: MappedFile] = [:]
    /// Whether what is stored to mapped memory is looked for every few milliseconds.
    let looksOften: Bool
    /// Not before this moment: looking takes its time, and must not take all of it.
    var nextLook = ContinuousClock.now
    /// Files whose length was set to 0 and that were not closed since.
    var emptied: Set<FileID> = []
    private var count: UInt32 = 0
    private(set) var unseen: [String] = []
    var attributes: [FileID: FileAttributes] = [:]
    /// The files that were synced for a cure, and that nothing was done to since.
    var untouched: [PlacedSync: Set<FileID>] = [:]

    init(path: String, _ settings: TraceSettings, _ scope: Scope) throws(StorageLogError) {
        (self.scope, looksOften) = (scope, settings.looksOften)
        writer = try StorageLogWriter(path: path)
        stacks = try settings.stacks.map { path throws(StorageLogError) in
            try StackLogWriter(path: path)
        }
        if let folder = scope.folder { try noteContents(of: folder) }
    }

    private func noteContents(of folder: String) throws(StorageLogError) {
        for (path, status) in FolderScan.entries(of: folder) {
            let name = scope.relative(path)
            if status.isFolder {
                try note(.existingDirectory(path: name))
            } else if !status.isRegular {
                try note(.symbolicLink(path: name, target: Tracee.link(path) ?? ""))
            } else if let file = files[Identity(status)] {
                try note(.link(file: file, path: name))
            } else {
                _ = try noteExisting(path, status)
            }
        }
        try noteAttributes(of: folder)
    }

    private func touch(_ kind: StorageOperation.Kind) {
        guard !untouched.isEmpty else { return }
        switch kind {
        // Which file had the name is not looked for.
        case .rename, .exchange, .remove: untouched = [:]
        default:
            guard let file = kind.subject else { return }
            for sync in untouched.keys { untouched[sync]?.remove(file) }
        }
    }

    /// Records what has been done by a thread, or, for 0, what is not the program's doing.
    func note(
        _ kind: StorageOperation.Kind, by thread: pid_t = 0, result: Int64? = nil
    ) throws(StorageLogError) {
        touch(kind)
        let ordinal = try writer.append(kind, threadID: thread)
        if let result { try writer.noteReturn(of: ordinal, result: result) }
    }

    /// Records, once, that the program does something to files that the log does not have.
    func noteUnseen(_ what: String) throws(StorageLogError) {
        guard !unseen.contains(what) else { return }
        unseen.append(what)
        try note(.unseen(what))
    }

    /// A power cut takes other things of another file system, and at another moment.
    func noteElsewhere(
        _ status: rig_file, at path: String, named name: String
    ) throws(StorageLogError) {
        guard scope.isElsewhere(status, at: path) else { return }
        try noteUnseen("changes of \(name), which is on another file system")
    }

    func newFile() -> FileID {
        count += 1
        return FileID(count)
    }

    private func noteExisting(_ path: String, _ status: rig_file) throws(StorageLogError) -> FileID
    {
        let file = newFile()
        files[Identity(status)] = file
        let bytes = FolderScan.bytes(of: path, count: Int(clamping: status.size))
        try note(.existing(path: scope.relative(path), file: file, bytes: bytes))
        return file
    }

    /// The file's number; a file not seen before is recorded with its contents.
    func file(_ status: rig_file, path: String) throws(StorageLogError) -> FileID {
        if let file = files[Identity(status)] { return file }
        try noteElsewhere(status, at: path, named: scope.relative(path))
        let file = try noteExisting(path, status)
        try noteInitial(file, path, status)
        return file
    }

    /// Records that a call has made a file; its name is empty for a file without one.
    func noteCreated(_ file: FileID, at place: String, named name: String) throws(StorageLogError) {
        guard let status = Tracee.status(place) else { return }
        files[Identity(status)] = file
        try noteElsewhere(status, at: place, named: name.isEmpty ? "a file" : name)
        try noteInitial(file, place, status, isNew: true)
    }

    func noteArrival(at path: String) throws(StorageLogError) {
        guard let status = Tracee.status(path, following: false) else { return }
        if status.isFolder {
            try note(.existingDirectory(path: scope.relative(path)))
            try noteContents(of: path)
            try noteFolder(path, at: path)
        } else if status.isRegular {
            let before = files.removeValue(forKey: Identity(status))
            let file = try noteExisting(path, status)
            try noteInitial(file, path, status)
            if let before, mapped[before] != nil, begin(mapping: file, at: path) {
                try note(.mapped(file: file, inode: status.inode))
            }
        }
    }

    /// Records what a call is going to do, for ``finish(_:result:)``.
    func begin(
        _ call: SystemCall, _ target: CallTarget, number: Int?
    ) throws(StorageLogError) -> Pending {
        var pending = Pending()
        for kind in try operations(call, target, &pending) {
            touch(kind)
            pending.ordinals.append(try writer.append(kind, threadID: call.thread, call: number))
        }
        stacks?.add(pending.ordinals, call.kind.name, UserStack.places(of: call.thread))
        return pending
    }

    func finish(_ pending: Pending, result: Int64) throws(StorageLogError) {
        for (index, ordinal) in pending.ordinals.enumerated() {
            try writer.noteReturn(of: ordinal, result: pending.result(index, result))
        }
        if result >= 0 { try pending.whenDone(result) }
    }
}
