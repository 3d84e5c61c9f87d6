internal import RigModel
internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Held by a rig for as long as it works in a run folder, so that no other one goes on with its run.
///
/// The kernel lets go of it however the rig ends.
package struct RunLock: Sendable {
    /// The file that is locked.
    package static let fileName = "run.lock"

    private let path: String
    /// Nil on a file system that knows no locks.
    private let file: FileDescriptor?

    /// Takes the lock of a run folder.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 when another rig holds it, 70 when the folder
    ///   cannot be written to.
    package init(_ folder: RunFolder) throws {
        path = "\(folder.path)/\(Self.fileName)"
        while true {
            let opened: FileDescriptor
            do {
                opened = try FileDescriptor.open(
                    FilePath(path), .readWrite, options: [.create, .closeOnExec],
                    permissions: [.ownerReadWrite, .groupRead, .otherRead])
            } catch {
                throw RigError(.failure, "cannot write \(path): \(error); name a writable folder")
            }
            guard flock(opened.rawValue, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                try opened.close()
                guard code == EWOULDBLOCK else {
                    file = nil
                    return
                }
                throw RigError(
                    .usage,
                    "the run in \(folder.path) is still under way: another rig works in it; wait for "
                        + "its end, or end it")
            }
            // Whoever held it before may have removed the file in between: then nobody else sees it.
            if Self.isFile(opened, at: path) {
                file = opened
                return
            }
            try opened.close()
        }
    }

    /// False where the file system knows no locks, so that nobody can tell whether a rig works here.
    package var isCertain: Bool { file != nil }

    /// Lets go, and removes the file; to be called once.
    package func release() {
        unlink(path)
        try? file?.close()
    }

    private static func isFile(_ file: FileDescriptor, at path: String) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file.rawValue, &opened) == 0 && stat(path, &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}

extension RunFolder {
    /// Creates a folder for a new run, and takes its lock before anything is written to it.
    ///
    /// Two rigs may find the same folder empty. The one that comes second must change nothing: its
    /// manifest in the place of the first one's would make that run one that cannot be judged.
    ///
    /// - Parameter path: a folder that does not exist or is empty.
    /// - Returns: the folder, and the lock, which is to be released.
    /// - Throws: ``RigModel/RigError`` with exit code 64 when it holds something, is no folder or is
    ///   another rig's, 77 without permission, 70 when it cannot be made for another reason.
    package static func claim(_ path: String) throws -> (folder: RunFolder, lock: RunLock) {
        let folder = try RunFolder(creating: path)
        return (folder, try lock(folder))
    }

    /// Takes the lock of a folder in which nothing has been written yet.
    static func lock(_ folder: RunFolder) throws -> RunLock {
        let lock = try RunLock(folder)
        // Another rig that came first may be done by now.
        guard try folder.isEmpty(butFor: RunLock.fileName) else {
            lock.release()
            throw notEmpty(folder.path)
        }
        return lock
    }
}
