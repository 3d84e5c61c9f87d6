internal import Foundation

/// Why a cache operation failed; each text says what is wrong and what to do.
public enum CacheError: Error, Hashable {
    /// A commit threshold below the minimum (B11).
    case thresholdTooSmall(bytes: Int, minimum: Int)
    /// A commit threshold that would need too much memory.
    case thresholdTooLarge(bytes: Int, maximum: Int)
    /// There is no cache in the folder, and the access mode does not allow creating one.
    case absent(folder: String)
    /// The folder or the database cannot be created.
    case cannotCreate(path: String, reason: String)
    /// The database exists, but may not be written.
    case readOnly(path: String)
    /// The file is not a database, or not a cache's.
    case notACache(path: String, reason: String)
    /// The database was written by another version of this library.
    case otherSchema(path: String, found: Int, supported: Int)
    /// The cache uses another storage layout than the one asked for.
    case otherStorage(path: String, found: StorageLayout)
    /// All bytes that the capacity allows are being read or saved (C6); nothing was stored.
    case noRoom(path: String, capacity: Int64)
    /// The file system is full.
    case diskFull(path: String)
    /// A file may not become larger: the process has a limit, or the file system.
    case fileTooLarge(path: String)
    /// Less disk space is free than the reserve asks for, so nothing more is saved (S6).
    case diskLow(path: String, free: Int64, reserve: Int64)
    /// Another process holds the database for longer than the busy timeout.
    case busy(path: String)
    /// The database was removed or replaced while it was open; nothing is saved any more.
    case moved(path: String)
    /// The cache was used after it was closed.
    case closed(path: String)
    /// Reading or writing failed; `code` is the system's number of the error, 0 if there is none.
    case inputOutput(path: String, reason: String, code: Int32 = 0)
    /// The cache does not know the video.
    case unknownVideo(url: String)
    /// The video was cleared, or replaced by another version, since it was looked up.
    case replaced(url: String)
    /// Requested bytes are not cached.
    case incomplete(url: String, missing: [ByteRange])
    /// The video's length is unknown, so it cannot be called complete.
    case lengthUnknown(url: String)
    /// Chunks failed their checksum and were dropped (C5).
    case damaged(url: String, dropped: [ByteRange])
}

extension CacheError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .thresholdTooSmall(let bytes, let minimum):
            "a threshold of \(bytes) bytes is too small; use at least \(minimum / 1024)KB"
        case .thresholdTooLarge(let bytes, let maximum):
            "a threshold of \(bytes) bytes is too large; use at most \(maximum >> 30)GB, or disabled"
        case .absent(let folder): "there is no cache in \(folder); fetch a video into it first"
        case .cannotCreate(let path, let reason):
            "cannot create \(path): \(reason); choose a folder that can be written"
        case .readOnly(let path):
            "\(path) cannot be written; choose another folder or change its permissions"
        case .notACache(let path, let reason):
            "\(path) is not a video cache (\(reason)); choose another folder or move the file away"
        case .otherSchema(let path, let found, let supported):
            "\(path) has schema \(found), and this program reads \(supported); use the version that made"
                + " it, or clear the cache"
        case .otherStorage(let path, let found):
            "\(path) keeps its bytes in the other layout; use --storage \(found.rawValue), or"
                + " another folder"
        case .noRoom(let path, let capacity):
            "\(path) may hold \(capacity) bytes, and all of them are in use; raise the capacity"
        case .diskFull(let path): "no room left to write \(path); free disk space and fetch again"
        case .fileTooLarge(let path):
            "\(path) has reached the limit of a file's size, which a shell sets (ulimit -f) or its file"
                + " system has; raise it, or choose another folder"
        case .diskLow(let path, let free, let reserve):
            "\(path) is on a disk with \(free) bytes left, fewer than the reserve of \(reserve);"
                + " free disk space and fetch again"
        case .busy(let path): "\(path) is in use by another process; try again when it has ended"
        case .moved(let path): "\(path) was removed or replaced while it was in use; start again"
        case .closed(let path): "\(path) was closed; open the cache again"
        case .inputOutput(let path, let reason, let code):
            "cannot read or write \(path): \(reason); "
                + Self.remedy(for: code, or: "check the disk and its permissions, and try again")
        case .unknownVideo(let url): "the cache holds nothing of \(url); fetch it first"
        case .replaced(let url): "\(url) was cleared or replaced meanwhile; fetch again"
        case .incomplete(let url, let missing) where missing.isEmpty:
            "\(url) is incomplete: it is not known yet how much is missing; fetch again"
        case .incomplete(let url, let missing):
            "\(url) is incomplete: \(Self.list(missing)) missing; fetch again"
        case .lengthUnknown(let url):
            "\(url) is incomplete: its length is not known yet; fetch again"
        case .damaged(let url, let dropped):
            "\(url) was damaged: dropped \(Self.list(dropped)); fetch again"
        }
    }

    /// What to do about an error with this number of the system's: `other`, unless descriptors lack.
    package static func remedy(for code: Int32, or other: String) -> String {
        [EMFILE, ENFILE].contains(code) ? "allow more of them (ulimit -n)" : other
    }

    /// Any other failure to read or write, by the system's number of the error.
    static func ofSystem(_ path: String, _ code: Int32) -> CacheError {
        .inputOutput(path: path, reason: String(cString: strerror(code)), code: code)
    }

    private static func list(_ ranges: [ByteRange]) -> String {
        let bytes = ranges.byteCount
        let named = ranges.prefix(3).map(\.description).joined(separator: ", ")
        let more = ranges.count > 3 ? " and \(ranges.count - 3) more" : ""
        return "\(bytes) bytes in \(ranges.count) range\(ranges.count == 1 ? "" : "s")"
            + " (\(named)\(more))"
    }
}
