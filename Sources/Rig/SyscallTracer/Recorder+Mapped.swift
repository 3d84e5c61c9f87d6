internal import CPtrace
internal import Glibc
internal import StorageModel

extension Recorder {
    func mapping(_ file: FileID, _ path: String, _ status: rig_file) -> StorageOperation.Kind {
        // Recorded each time: an earlier call may have failed.
        guard mapped[file] != nil || begin(mapping: file, at: path) else {
            return .unrecorded(file: file)
        }
        return .mapped(file: file, inode: status.inode)
    }

    /// Takes a file's present bytes as known; false when it cannot be read.
    func begin(mapping file: FileID, at path: String) -> Bool {
        var mapping = MappedFile()
        guard mapping.changes(of: path) != nil else { return false }
        mapped[file] = mapping
        return true
    }

    /// Records what was written through memory, before a call that may sync it.
    func noteChanges(
        of file: FileID, at path: String, in range: Range<Int64> = 0..<Int64.max, by thread: pid_t
    ) throws(StorageLogError) {
        for change in mapped[file]?.changes(of: path, in: range) ?? [] {
            try writer.append(change, of: file, threadID: thread)
        }
    }

    /// After so many milliseconds without a call it is time to look; 0 when there is nothing to
    /// see.
    var pause: Int32 { looksOften && !mapped.isEmpty ? 5 : 0 }

    /// Records what memory holds now: the kernel may write a page at any moment, as it is then
    /// (A6).
    func look() throws(StorageLogError) {
        let began = ContinuousClock.now
        guard pause > 0, began >= nextLook else { return }
        try noteAllChanges()
        let now = ContinuousClock.now
        // A twentieth of the time, and no more often than without calls.
        nextLook = now.advanced(by: max(began.duration(to: now) * 20, .milliseconds(Int(pause))))
    }

    /// Records what was written through memory to any file.
    ///
    /// The thread is any number but 0, which stands for what was there before the program.
    func noteAllChanges(by thread: pid_t = 1) throws(StorageLogError) {
        // Only files that are mapped change without a call.
        guard !mapped.isEmpty, let folder = scope.folder else { return }
        for (path, status) in FolderScan.entries(of: folder) where status.isRegular {
            guard let file = files[Identity(status)] else { continue }
            try noteChanges(of: file, at: path, by: thread)
        }
    }
}
