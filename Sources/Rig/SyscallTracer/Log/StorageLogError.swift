package enum StorageLogError: Error, Hashable, CustomStringConvertible {
    /// The file cannot be opened, read or written.
    case system(path: String, message: String)
    /// The file is no storage log, or has another version.
    case unknownFormat(path: String)
    /// A record inside the log is invalid.
    case damaged(path: String, offset: Int)

    package var description: String {
        switch self {
        case .system(let path, let message):
            "the storage log \(path) cannot be used: \(message); check the path and the free space"
        case .unknownFormat(let path):
            "\(path) is no storage log of version \(StorageLogFormat.version); record it again"
        case .damaged(let path, let offset):
            "the storage log \(path) is damaged at byte \(offset); record it again"
        }
    }
}
