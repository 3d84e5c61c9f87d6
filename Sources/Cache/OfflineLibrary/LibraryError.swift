public import VideoCache

/// Why a library operation failed; each text says what is wrong and what to do.
public enum LibraryError: Error, Hashable {
    /// There is no library in the folder, and the access mode does not allow creating one.
    case absent(folder: String)
    /// The file is not a database, or not a library's, or damaged.
    case notALibrary(path: String, reason: String)
    /// The database was written by a newer version of this library.
    case newerSchema(path: String, found: Int, supported: Int)
    /// The file system is full.
    case diskFull(path: String)
    /// The library was used after it was closed.
    case closed(path: String)
    /// A file or the database has failed as a cache's may, such as ``CacheError/busy(path:)``.
    case files(CacheError)
    /// A list exists already.
    case listExists
    /// No store could return exactly this list.
    case unstorable(reason: String)
}

extension LibraryError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .absent(let folder): "there is no library in \(folder); refresh it first"
        case .notALibrary(let path, let reason):
            "\(path) is not an offline library (\(reason)); choose another folder or move the"
                + " file away"
        case .newerSchema(let path, let found, let supported):
            "\(path) has schema \(found), newer than \(supported); use a newer version"
        case .diskFull(let path): "no room left to write \(path); free disk space and refresh again"
        case .closed(let path): "\(path) was closed; open the library again"
        case .files(let error): error.description
        case .listExists: "a list is stored already; replace it, or delete it first"
        case .unstorable(let reason): "the list cannot be stored: \(reason); mend the list"
        }
    }
}

extension LibraryError {
    /// The library's error for that of a file or a database, for which it has the cache's code.
    init(_ error: CacheError) {
        self =
            switch error {
            case .notACache(let path, let reason): .notALibrary(path: path, reason: reason)
            case .diskFull(let path): .diskFull(path: path)
            default: .files(error)
            }
    }
}

/// Why a feed, or an image, cannot be used; each text says what is wrong and what to do.
public enum FeedError: Error, Hashable {
    /// The body is larger than allowed.
    case tooLarge(url: String, limit: Int)
    /// The body is not JSON.
    case notJSON(url: String, reason: String)
    /// The JSON is not a list of videos.
    case malformed(url: String, field: String, reason: String)
    /// Two videos of the feed have the same id.
    case duplicateID(url: String, id: String)
}

extension FeedError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let url, let limit):
            "\(url) sent more than \(limit) bytes; check the address"
        case .notJSON(let url, let reason):
            "\(url) is not JSON (\(reason)); check that the address is a feed's"
        case .malformed(let url, let field, let reason):
            "\(url) is no feed of videos: \(field) \(reason); mend the feed"
        case .duplicateID(let url, let id): "\(url) names two videos \(id); mend the feed"
        }
    }
}
