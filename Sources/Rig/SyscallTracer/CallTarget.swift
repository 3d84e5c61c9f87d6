internal import CPtrace
internal import Glibc

enum CallTarget {
    case file(descriptor: Int32, path: String, status: rig_file)
    case folder(path: String)
    /// A file that does not exist yet; of one without a name, the path of its folder.
    case creation(path: String, isNamed: Bool)
    case existing(path: String, status: rig_file)
    /// The parts of mapped files that are synced; at least one.
    case mappings([SyncedPart])
    /// The requests of io_submit for files; at least one.
    case submissions([Submission])
    /// A file or a folder that gets other attributes, and where they can be read.
    case attributes(path: String, place: String, status: rig_file)
    case name(path: String)
    /// An existing name, and the name that it changes to or that is linked to it.
    case names(from: String, to: String)
    case everything

    /// All paths that the call is about.
    var paths: [String] {
        switch self {
        case .file(_, let path, _), .folder(let path), .creation(let path, _),
            .existing(let path, _), .name(let path), .attributes(let path, _, _):
            [path]
        case .names(let from, let to): [from, to]
        case .mappings(let mappings): mappings.map(\.path)
        case .submissions(let requests): requests.map(\.path)
        case .everything: [""]
        }
    }

    /// The path that a report shows.
    var path: String { if case .names(_, let to) = self { to } else { paths[0] } }
}

extension rig_file {
    var isRegular: Bool { mode & S_IFMT == S_IFREG }
    var isFolder: Bool { mode & S_IFMT == S_IFDIR }
}

struct Scope {
    /// The folder without symbolic links; nil for everything.
    let folder: String?
    private let more: [String]
    private let device: UInt64?

    /// Everything, or what is below an existing folder, and below others.
    init(_ folder: String?, and more: [String] = []) throws(TraceError) {
        self.more = more.compactMap(Tracee.real)
        guard let folder else {
            self.folder = nil
            device = nil
            return
        }
        guard let real = Tracee.real(folder), let status = Tracee.status(real), status.isFolder
        else { throw .badFolder(path: folder) }
        self.folder = real
        device = status.device
    }

    /// Without a folder, all paths count but the kernel's own files and memory with a descriptor.
    func contains(_ path: String) -> Bool {
        guard let folder else {
            return !["/proc/", "/sys/", "/memfd:"].contains(where: path.hasPrefix)
        }
        return ([folder] + more).contains { folder in
            path == folder || (path.hasPrefix(folder) && path.dropFirst(folder.count).first == "/")
        }
    }

    /// The path relative to the folder; `.` is the folder itself.
    func relative(_ path: String) -> String {
        guard let folder, path != folder else { return "." }
        return String(path.dropFirst(folder.count + 1))
    }

    func isOn(device: UInt64) -> Bool { self.device == nil || self.device == device }

    /// True if a file lies on another file system, which is mounted below the folder.
    ///
    /// The files of an overlay can have other devices than its folders.
    func isElsewhere(_ status: rig_file, at path: String) -> Bool {
        guard let folder, !isOn(device: status.device) else { return false }
        return rig_mount(path) != rig_mount(folder)
    }

    func contains(descriptor: Int32, in thread: pid_t) -> Bool {
        Tracee.path(ofDescriptor: descriptor, in: thread).map(contains) ?? false
    }

    /// What a call acts on, if it can change or sync anything in scope.
    func target(of call: SystemCall) -> CallTarget? {
        switch call.effect {
        case .open: opening(call)
        case .resize where call.kind.path != nil, .makeFolder, .makeLink, .remove, .removeFolder,
            .rename, .link:
            naming(call)
        case .syncAll: .everything
        case .submit: submissions(of: call)
        case .setAttributes, .setTimes: attributes(call)
        // MS_ASYNC, without MS_SYNC, does nothing on Linux.
        case .syncMemory where call.word(2) & MS_SYNC != 0, .protect: mapped(call)
        case .syncMemory, .ringSetup, .ringEnter: nil
        case .control where !call.isClone: nil
        default: call.descriptor.flatMap { descriptor(call, $0) }
        }
    }

    private func descriptor(_ call: SystemCall, _ descriptor: Int32) -> CallTarget? {
        guard let status = Tracee.status(ofDescriptor: descriptor, in: call.thread) else {
            return nil
        }
        if call.effect == .syncFileSystem { return isOn(device: status.device) ? .everything : nil }
        guard status.isRegular || (status.isFolder && call.kind.callClass == .sync),
            let path = Tracee.path(ofDescriptor: descriptor, in: call.thread), contains(path)
        else { return nil }
        return status.isRegular
            ? .file(descriptor: descriptor, path: path, status: status) : .folder(path: path)
    }

    private func opened(by call: SystemCall) -> (path: String, flags: Int32)? {
        guard let flags = call.openFlags,
            let path = call.path(following: flags & (O_NOFOLLOW | O_EXCL) == 0), contains(path)
        else { return nil }
        return (path, flags)
    }

    /// The file that a call opens for reading, or would if it were there.
    func fileRead(by call: SystemCall) -> String? {
        guard let (path, flags) = opened(by: call), flags & O_ACCMODE != O_WRONLY,
            flags & O_TRUNC == 0
        else { return nil }
        guard let status = Tracee.status(path) else { return flags & O_CREAT == 0 ? path : nil }
        return status.isRegular ? path : nil
    }

    private func opening(_ call: SystemCall) -> CallTarget? {
        guard let (path, flags) = opened(by: call) else { return nil }
        // This is __O_TMPFILE, which is used with O_DIRECTORY.
        if flags & 0o20_000_000 != 0 { return .creation(path: path, isNamed: false) }
        guard let status = Tracee.status(path, following: false) else {
            return flags & O_CREAT != 0 ? .creation(path: path, isNamed: true) : nil
        }
        let isExclusive = flags & (O_CREAT | O_EXCL) == O_CREAT | O_EXCL
        guard flags & O_TRUNC != 0, !isExclusive, status.isRegular else { return nil }
        return .existing(path: path, status: status)
    }

    private func naming(_ call: SystemCall) -> CallTarget? {
        let follows = call.effect == .resize
        let first = call.effect == .link ? linkSource(call) : call.path(following: follows)
        guard let path = first else { return nil }
        let status = Tracee.status(path, following: follows)
        switch call.effect {
        case .rename:
            guard let to = call.secondPath, contains(path) || contains(to), status != nil else {
                return nil
            }
            return .names(from: path, to: to)
        case .link:
            guard let to = call.secondPath, contains(to), Tracee.status(path) != nil,
                Tracee.status(to, following: false) == nil
            else { return nil }
            return .names(from: path, to: to)
        case _ where !contains(path): return nil
        case .resize:
            guard let status, status.isRegular else { return nil }
            return .existing(path: path, status: status)
        case .makeFolder, .makeLink: return status == nil ? .name(path: path) : nil
        default: return status?.isFolder == call.removesFolder ? .name(path: path) : nil
        }
    }

    /// The source of a link: a descriptor, or a path that may be its own in `/proc`.
    private func linkSource(_ call: SystemCall) -> String? {
        hasEmptyPath(call) ? "/proc/\(call.thread)/fd/\(call.word(0))" : call.path()
    }

    /// True if a call means a descriptor itself: AT_EMPTY_PATH, which Swift does not import.
    private func hasEmptyPath(_ call: SystemCall) -> Bool {
        guard call.flags & 0x1000 != 0, let index = call.kind.at else { return false }
        return Tracee.text(at: call.arguments[index], in: call.thread)?.isEmpty ?? true
    }

    /// What a call gives other attributes: a file or a folder, by its path, or by the descriptor in
    /// the place of one that is empty or missing.
    private func attributes(_ call: SystemCall) -> CallTarget? {
        let isMissing = call.kind.at.map { call.arguments[$0] == 0 } ?? false
        let descriptor = isMissing || hasEmptyPath(call) ? call.word(0) : call.descriptor
        let follows =
            call.kind.follows || call.kind.flags != nil && call.flags & AT_SYMLINK_NOFOLLOW == 0
        let path =
            descriptor.map { Tracee.path(ofDescriptor: $0, in: call.thread) }
            ?? call.path(following: follows)
        guard let path, contains(path) else { return nil }
        let place = descriptor.map { "/proc/\(call.thread)/fd/\($0)" } ?? path
        guard let status = Tracee.status(place, following: descriptor != nil),
            status.isRegular || status.isFolder
        else { return nil }
        return .attributes(path: path, place: place, status: status)
    }

    /// The parts of mapped files, by whole pages, that msync syncs, or that mprotect makes
    /// writable.
    private func mapped(_ call: SystemCall) -> CallTarget? {
        let page = UInt64(getpagesize())
        let (end, isBeyond) = call.arguments[0].addingReportingOverflow(call.arguments[1])
        let (rounded, isMore) = end.addingReportingOverflow(page - 1)
        guard !isBeyond, !isMore else { return nil }
        let synced = call.arguments[0]..<max(call.arguments[0], rounded / page * page)
        let mappings = MemoryPart.all(of: call.thread).compactMap { mapping($0, in: synced) }
        return mappings.isEmpty ? nil : .mappings(mappings)
    }

    /// The part of a file that is mapped within a range of addresses.
    private func mapping(_ part: MemoryPart, in synced: Range<UInt64>) -> SyncedPart? {
        let addresses = part.addresses.clamped(to: synced)
        // Another file may have the name by now.
        guard part.rights.last == "s", !addresses.isEmpty, contains(part.path),
            let status = Tracee.status(part.path), status.isRegular, part.inode == status.inode
        else { return nil }
        let before = addresses.lowerBound - part.addresses.lowerBound
        let start = Int64(clamping: part.offset + before)
        return SyncedPart(
            place: part.path, path: part.path, status: status,
            range: start..<start + Int64(addresses.count))
    }
}
