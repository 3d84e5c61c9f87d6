internal import CPtrace
internal import Glibc
internal import StorageModel

extension Recorder {
    func noteAttributes(of folder: String) throws(StorageLogError) {
        for (path, status) in FolderScan.entries(of: folder) {
            if status.isFolder {
                try noteFolder(path, at: path)
            } else if status.isRegular, let file = files[Identity(status)] {
                try noteInitial(file, path, status)
            }
        }
    }

    /// Notes the attributes of a file that was there, or of a new one where they are not those of
    /// most; when a new file was written, the program has not set.
    func noteInitial(
        _ file: FileID, _ place: String, _ status: rig_file, isNew: Bool = false
    ) throws(StorageLogError) {
        guard isNew || attributes[file] == nil else { return }
        let found = FileAttributes(of: place, status, withTime: !isNew)
        attributes[file] = found
        if !isNew || found != .standard(isFolder: false) {
            try note(.attributes(file: file, found, isInitial: true))
        }
    }

    /// Notes the attributes of a folder where they are not those of most, or have been set.
    func noteFolder(_ path: String, at place: String, isSet: Bool = false) throws(StorageLogError) {
        guard let status = Tracee.status(place) else { return }
        let found = FileAttributes(of: place, status, withTime: false)
        if isSet || found != .standard(isFolder: true) {
            try note(.folderAttributes(path: scope.relative(path), found))
        }
    }

    /// Notes attributes that a call has set.
    ///
    /// A time of its last change that was set before stays, unless the file has been written since.
    func noteSet(_ file: FileID, at place: String, by call: SystemCall) throws(StorageLogError) {
        guard let status = Tracee.status(place) else { return }
        var found = FileAttributes(of: place, status, withTime: true)
        if call.effect != .setTimes, attributes[file]?.modified != found.modified {
            found.modified = nil
        }
        attributes[file] = found
        try note(.attributes(file: file, found, isInitial: false), by: call.thread, result: 0)
    }
}

extension FileAttributes {
    init(of place: String, _ status: rig_file, withTime: Bool) {
        let time = Time(seconds: status.seconds, nanoseconds: status.nanoseconds)
        self.init(
            mode: status.mode & 0o7777, owner: status.owner, group: status.group,
            modified: withTime ? time : nil, extended: Self.extended(of: place))
    }

    private static func extended(of place: String) -> [String: [UInt8]] {
        let list = bytes { rig_attribute_names(place, $0, $1) }
        let names = list.split(separator: 0).map {
            String(decoding: $0.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        return Dictionary(
            names.filter { $0.hasPrefix("user.") }.map { name in
                (name, bytes { rig_attribute(place, name, $0, $1) }.map(UInt8.init(bitPattern:)))
            },
            // Names that are no UTF-8 may read alike.
            uniquingKeysWith: { first, _ in first })
    }

    /// What a call gives that first tells the length; empty where it fails.
    private static func bytes(_ call: (UnsafeMutablePointer<CChar>?, Int) -> Int) -> [CChar] {
        let count = call(nil, 0)
        guard count > 0 else { return [] }
        return [CChar](unsafeUninitializedCapacity: count) { buffer, done in
            done = max(0, call(buffer.baseAddress, count))
        }
    }
}
