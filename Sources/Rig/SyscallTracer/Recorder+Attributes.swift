internal import CPtrace
internal import Glibc
internal import StorageModel

extension Recorder {
    /// Notes the attributes of what is in a folder.
    func noteAttributes(of folder: String) throws(StorageLogError) {
        for (path, entry) in FolderScan.entries(of: folder) {
            switch entry {
            case .folder: try noteFolder(path)
            case .link: break
            case .file(let status):
                if let file = files[Identity(status)] { try noteInitial(file, path, status) }
            }
        }
    }

    /// Notes the attributes of a file that was there.
    func noteInitial(
        _ file: FileID, _ path: String, _ status: rig_file
    ) throws(StorageLogError) {
        guard attributes[file] == nil else { return }
        let found = FileAttributes(of: path, status)
        attributes[file] = found
        try note(.attributes(file: file, found, isInitial: true))
    }

    /// Notes the attributes of a new file, or of a folder, where they are not those of most; when a new
    /// file was written, the program has not set.
    func noteCreated(_ file: FileID, _ place: String) throws(StorageLogError) {
        guard let status = Tracee.status(place) else { return }
        var found = FileAttributes(of: place, status)
        found.modified = nil
        attributes[file] = found
        if found != .standard(isFolder: false) {
            try note(.attributes(file: file, found, isInitial: true))
        }
    }

    func noteFolder(_ path: String) throws(StorageLogError) {
        guard let status = Tracee.status(path, following: false) else { return }
        var found = FileAttributes(of: path, status)
        found.modified = nil
        if found != .standard(isFolder: true) {
            try note(.folderAttributes(path: scope.relative(path), found))
        }
    }

    /// Notes attributes that a call has set.
    ///
    /// A time of its last change that was set before stays, unless the file has been written since.
    func noteSet(
        _ file: FileID?, _ path: String, _ place: String, by call: SystemCall
    ) throws(StorageLogError) {
        guard let status = Tracee.status(place) else { return }
        guard let file else {
            var found = FileAttributes(of: place, status)
            found.modified = nil
            return try note(.folderAttributes(path: scope.relative(path), found))
        }
        var found = FileAttributes(of: place, status)
        if !call.kind.setsTimes, attributes[file]?.modified != found.modified {
            found.modified = nil
        }
        attributes[file] = found
        let ordinal = try writer.append(
            .attributes(file: file, found, isInitial: false), threadID: call.thread)
        try writer.noteReturn(of: ordinal, result: 0)
    }
}
