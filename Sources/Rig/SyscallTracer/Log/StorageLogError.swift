package enum StorageLogError: Error, Hashable, CustomStringConvertible {
    case system(path: String, message: String)
    case unknownFormat(path: String)
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
