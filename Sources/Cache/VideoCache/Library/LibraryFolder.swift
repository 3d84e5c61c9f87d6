internal import Foundation

/// The folders that contain a library.
enum LibraryFolder {
    /// Creates the folder and its parents, if they do not exist.
    static func create(_ path: String) throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotCreate(path: path, reason: reason(error))
        }
    }

    /// Returns after the folder's entries have reached the disk.
    static func synchronize(_ path: String) throws(LibraryError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .fromSystem(errno, path: path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw .fromSystem(errno, path: path) }
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
    /// The library's error for what the system reports.
    static func fromSystem(_ code: Int32, path: String) -> Self {
        switch code {
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case EFBIG: .fileTooLarge(path: path)
        case EROFS, EACCES, EPERM: .readOnly(path: path)
        default: .inputOutput(path: path, reason: String(cString: strerror(code)))
        }
    }
}
