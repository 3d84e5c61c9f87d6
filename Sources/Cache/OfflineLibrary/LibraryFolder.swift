internal import Foundation
internal import VideoCache

/// The folders that contain a library.
enum LibraryFolder {
    static func create(_ path: String) throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotCreate(path: path, reason: reason(error))
        }
    }

    static func synchronize(_ path: String) throws(LibraryError) {
        do { try FileSystem.ofThisMachine.sync(path) } catch { throw LibraryError(error) }
    }

    /// What went wrong, in the system's own words if available.
    static func reason(_ error: any Error) -> String {
        var error = error as NSError
        while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
        return error.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(error.code))) : "\(error.localizedDescription)"
    }
}

extension LibraryError {
    /// The library's error for that of a file or a database, for which it has the cache's code.
    init(_ error: CacheError) {
        self =
            switch error {
            case .cannotCreate(let path, let reason): .cannotCreate(path: path, reason: reason)
            case .readOnly(let path): .readOnly(path: path)
            case .notACache(let path, let reason): .notALibrary(path: path, reason: reason)
            case .diskFull(let path): .diskFull(path: path)
            case .fileTooLarge(let path): .fileTooLarge(path: path)
            case .busy(let path): .busy(path: path)
            case .inputOutput(let path, let reason): .inputOutput(path: path, reason: reason)
            // What only a cache, or a video, can have.
            default: .inputOutput(path: "the library", reason: "\(error)")
            }
    }
}
