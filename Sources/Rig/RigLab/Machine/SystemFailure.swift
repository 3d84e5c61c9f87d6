internal import Foundation
internal import Glibc
internal import RigModel
internal import SystemPackage

/// Why the system refused to write something of the rig's, and what to do about it.
package struct SystemFailure: CustomStringConvertible {
    /// The system's number of the error; nil where it has none.
    package let code: Int32?
    let reason: String
    /// What to do, after the cause: space helps only where there is none.
    let remedy: String

    /// `No space left on device; free some space`.
    package var description: String { "\(reason); \(remedy)" }
    var isForbidden: Bool { [EACCES, EPERM, EROFS].contains(code) }

    package init(_ error: any Error) {
        code = Self.code(of: error)
        reason = code.map { String(cString: strerror($0)) } ?? error.localizedDescription
        remedy = Self.remedy(for: code)
    }

    /// Any error in words; one of the system's with what to do.
    package static func words(_ error: any Error) -> String {
        let failure = SystemFailure(error)
        return failure.code == nil ? "\(error)" : "\(failure)"
    }

    /// What `body` gives; where it fails, throws its own error of the rig, or exit code 70 with what
    /// cannot be done, why, and what helps besides.
    @discardableResult
    static func explained<Value>(
        _ deed: String, _ advice: String = "", _ body: () throws -> Value
    ) throws(RigError) -> Value {
        do {
            return try body()
        } catch let error as RigError {
            throw error
        } catch {
            throw RigError(.failure, "\(deed): \(SystemFailure(error))\(advice)")
        }
    }

    private static func remedy(for code: Int32?) -> String {
        switch code {
        case ENOSPC, EDQUOT: "free some space"
        case EFBIG: "raise the limit of a file's size (ulimit -f)"
        case EACCES, EPERM: "see who may write there"
        case EROFS: "use a place that can be written"
        case EMFILE, ENFILE: "allow more open files (ulimit -n)"
        case ENAMETOOLONG: "use a shorter name"
        case EEXIST: "remove it first"
        case EPIPE, EBADF: "see what has become of its reader"
        case ENOENT, ENOTDIR: "see what has become of the folder"
        default: "see whether the disk works, and has room"
        }
    }

    /// What to do where another program could not write, of which only its words are known.
    static let remedyOfProgram = "see that there is room, and who may read and write there"

    /// What lets a program start where the system is short of what that takes; nil where it is not.
    static func remedy(forStart code: Int32?) -> String? {
        switch code {
        case EAGAIN:
            "allow more processes (ulimit -u, or pids.max of the control group), or end some"
        case ENOMEM: "free some memory, or allow more of it (ulimit -v)"
        case EMFILE, ENFILE: remedy(for: code)
        default: nil
        }
    }

    private static func code(of error: any Error) -> Int32? {
        if let error = error as? Errno { return error.rawValue }
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error { return code(of: cause) }
        return switch (error as? CocoaError)?.code {
        case .fileWriteOutOfSpace?: ENOSPC
        case .fileWriteNoPermission?, .fileReadNoPermission?: EACCES
        case .fileWriteVolumeReadOnly?: EROFS
        case .fileWriteInvalidFileName?: ENAMETOOLONG
        case .fileNoSuchFile?, .fileReadNoSuchFile?: ENOENT
        default: nil
        }
    }
}
