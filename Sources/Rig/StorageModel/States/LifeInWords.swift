/// A recorded life in words: its operations, and the rule that a cause broke.
package struct LifeInWords {
    private let log: StorageLog
    private let calls: [Int: String]

    package init(_ log: StorageLog, calls: [Int: String] = [:]) {
        (self.log, self.calls) = (log, calls)
    }

    package func operation(_ ordinal: Int) -> StorageOperation? {
        log.operations.first { $0.ordinal == ordinal }
    }

    package func next(after ordinal: Int) -> StorageOperation? {
        log.operations.first { $0.ordinal > ordinal && $0.threadID != 0 && $0.call != nil }
    }

    package func call(_ operation: StorageOperation) -> String {
        calls[operation.ordinal] ?? operation.kind.name
    }

    package func number(_ operation: StorageOperation) -> String {
        operation.call.map { "call \($0)" } ?? "operation \(operation.ordinal)"
    }

    /// The path of a file when an operation began, or else the one that it got then.
    package func path(of file: FileID, at ordinal: Int) -> String {
        var names = NameTree()
        for operation in log.operations {
            let found = names.paths(of: file).first
            if operation.ordinal >= ordinal, let found { return found }
            if let change = operation.kind.nameChange { names.apply(change) }
        }
        return names.paths(of: file).first ?? "a file without a name"
    }

    /// The path of an operation: of its file then, the new one of two names; nil for everything.
    package func path(_ operation: StorageOperation) -> String? {
        operation.kind.subject.map { path(of: $0, at: operation.ordinal) }
            ?? operation.kind.nameChange?.paths.last ?? operation.kind.folder
    }

    /// What an operation did, such as `pwrite64(data.tmp, 4096 bytes at 0)`.
    package func words(_ operation: StorageOperation) -> String {
        let ordinal = operation.ordinal
        func named(_ file: FileID) -> String { path(of: file, at: ordinal) }
        let what =
            switch operation.kind {
            case .write(let file, let offset, let bytes):
                "\(named(file)), \(bytes.count) bytes at \(offset)"
            case .truncate(let file, let length): "\(named(file)), to \(length) bytes"
            case .allocate(let file, let offset, let length, _),
                .punchHole(let file, let offset, let length),
                .syncRange(let file, let offset, let length):
                "\(named(file)), \(length) bytes at \(offset)"
            case .rename(let from, let to): "\(from) → \(to)"
            case .exchange(let one, let other): "\(one) ↔ \(other)"
            case .link(let file, let path): "\(named(file)) → \(path)"
            case .symbolicLink(let path, let target): "\(path) → \(target)"
            case .create(let path, _): path.isEmpty ? "a file without a name" : path
            case .syncAll: ""
            case let kind:
                kind.subject.map(named) ?? kind.nameChange?.paths.first ?? kind.folder ?? ""
            }
        return "\(call(operation))(\(what))"
    }

    package func fate(_ ordinal: Int, by decisions: [CrashDecision]) -> String {
        switch manner(ordinal, by: decisions) {
        case "": "on the disk"
        case let manner where manner == "not" || manner == "spoiled": "\(manner) on the disk"
        case let manner: "on the disk \(manner)"
        }
    }

    private func manner(_ ordinal: Int, by decisions: [CrashDecision]) -> String {
        switch decisions.first(where: { $0.operation == ordinal && $0.takes })?.effect {
        case .uncommitted, .unwritten, .notCarriedOut: "not"
        case .kept(let kept): kept.isEmpty ? "not" : "only in part"
        case .unreached: "only in part"
        case .zeros: "as zeros only"
        case .spoiled: "spoiled"
        case .lengthOnly: "by its length only"
        case .tailCleared: "by its zeros only"
        case .writtenBefore, nil: ""
        }
    }

    /// What has to be synced for an operation: a file for its data, a folder for names.
    private func duty(_ operation: StorageOperation) -> String {
        if let file = operation.kind.file { return path(of: file, at: operation.ordinal) }
        let path = operation.kind.nameChange?.paths.last ?? "."
        let folder = NameTree.parent(of: path)
        return folder == "." ? "the folder" : "the folder \(folder)"
    }

    package func rule(_ cause: CrashCause) -> String {
        guard let first = cause.lost.first.flatMap(operation) else {
            return "nothing has to be lost: it fails on a disk that has everything"
        }
        func named(_ operation: StorageOperation) -> String {
            "\(number(operation)), \(words(operation))"
        }
        let more = cause.lost.count > 1 ? " and \(cause.lost.count - 1) more" : ""
        let lost = "\(named(first))\(more)"
        let state =
            switch manner(first.ordinal, by: cause.decisions) {
            case "": "was"
            case let manner where manner == "not" || manner == "spoiled": "was \(manner)"
            case let manner: "was there \(manner)"
            }
        guard let kept = cause.kept.flatMap(operation) else {
            return "\(lost), \(state) on the disk when the power failed: "
                + "no sync of \(duty(first)) came after it"
        }
        return "\(named(kept)), was on the disk and \(lost), \(state): "
            + "no sync of \(duty(first)) lies between them"
    }

    /// What was synced of an operation's file, or of its folder for names, before and after it.
    package func syncs(around ordinal: Int) -> String {
        guard let operation = operation(ordinal) else { return "" }
        let folders = Set((operation.kind.nameChange?.paths ?? []).map(NameTree.parent))
        let found = log.operations.filter { other in
            guard other.returned else { return false }
            switch other.kind {
            case .syncAll: return true
            case .syncFile(let file, _), .syncRange(let file, _, _):
                return file == operation.kind.file
            case .syncDirectory(let folder): return folders.contains(folder)
            default: return false
            }
        }
        let before = found.last { $0.ordinal < ordinal }
        let after = found.first { $0.ordinal > ordinal }
        let what = duty(operation)
        return "\(what) was "
            + (before.map { "synced before by \(number($0))" } ?? "never synced before") + ", and "
            + (after.map { "after by \(number($0))" } ?? "never after")
    }

    /// A cure in words, such as `fdatasync of data.tmp right before call 37`.
    package func words(_ cure: SyncCure) -> String {
        cure.syncs.map { sync in
            let what =
                switch sync.target {
                case .data(let file): "fdatasync of \(path(of: file, at: sync.after + 1))"
                case .file(let file): "fsync of \(path(of: file, at: sync.after + 1))"
                case .folder("."): "fsync of the folder"
                case .folder(let path): "fsync of the folder \(path)"
                }
            if let next = next(after: sync.after) {
                let count = LikePlaces(of: log).everywhere(sync).count
                let each = count > 1 ? " and \(count - 1) more such" : ""
                return "\(what) right before \(number(next)), \(words(next))\(each)"
            }
            let last = operation(sync.after)
            return "\(what) right after \(last.map(number) ?? "the last call")"
        }.joined(separator: ", and ")
    }
}

extension StorageOperation.Kind {
    /// The folder that it syncs, or whose attributes it sets; nil for anything else.
    var folder: String? {
        switch self {
        case .syncDirectory(let path), .folderAttributes(let path, _): path
        default: nil
        }
    }

    var name: String {
        switch self {
        case .existing, .existingDirectory: "existing"
        case .create: "open"
        case .openTruncate: "open with O_TRUNC"
        case .write: "write"
        case .truncate: "ftruncate"
        case .allocate, .punchHole: "fallocate"
        case .syncFile(_, dataOnly: true): "fdatasync"
        case .syncFile, .syncDirectory: "fsync"
        case .syncAll: "sync"
        case .rename, .exchange: "rename"
        case .remove: "unlink"
        case .makeDirectory: "mkdir"
        case .removeDirectory: "rmdir"
        case .link: "link"
        case .symbolicLink: "symlink"
        case .syncRange: "msync"
        case .syncFailed: "a sync that failed"
        case .mapped: "mmap"
        case .closed: "close"
        case .attributes, .folderAttributes: "chmod"
        case .unrecorded, .unseen: "a call that is not recorded"
        }
    }
}
