internal import Foundation
internal import VideoCache

/// The folders that contain a library.
enum LibraryFolder {
    static func create(_ path: String) throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .files(.cannotCreate(path: path, reason: cause(of: error).reason))
        }
    }

    static func synchronize(_ path: String) throws(LibraryError) {
        do { try FileSystem.ofThisMachine.sync(path) } catch { throw LibraryError(error) }
    }

    /// The failure to read what is at a path.
    static func failure(_ path: String, _ error: any Error) -> LibraryError {
        let (reason, code) = cause(of: error)
        return .files(.inputOutput(path: path, reason: reason, code: code))
    }

    /// What went wrong, in the system's own words and with its number if available.
    private static func cause(of error: any Error) -> (reason: String, code: Int32) {
        var error = error as NSError
        while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
        guard error.domain == NSPOSIXErrorDomain else { return (error.localizedDescription, 0) }
        return (String(cString: strerror(Int32(error.code))), Int32(error.code))
    }
}
