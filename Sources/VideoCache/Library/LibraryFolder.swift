internal import Foundation

/// The folders that a library lies in.
enum LibraryFolder {
    /// Creates the folder and those above it, where they are absent.
    static func create(_ path: String) throws(LibraryError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .cannotCreate(path: path, reason: reason(error))
        }
    }

    /// What went wrong, in the system's own words where it has some.
    static func reason(_ error: any Error) -> String {
        var error = error as NSError
        while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
        return error.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(error.code))) : "\(error.localizedDescription)"
    }
}
