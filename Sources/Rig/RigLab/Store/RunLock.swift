internal import Glibc
internal import RigModel
internal import SystemPackage

/// Held by a rig while it works in a run folder, so that no other rig resumes the run.
///
/// The kernel releases it however the rig ends.
package struct RunLock: Sendable {
    package static let fileName = "run.lock"

    /// The lock's file: once it is gone from its path, the folder is not the run's any more.
    let place: HeldPlace
    /// False on a file system without locks: whether another rig works here is then not known.
    package let isCertain: Bool

    /// Takes the lock of a run folder; throws exit code 64 when another rig holds it, else 70.
    package init(_ folder: RunFolder) throws {
        let path = "\(folder.path)/\(Self.fileName)"
        while true {
            let opened = try SystemFailure.explained("cannot write \(path)") {
                try path.opened(.readWrite, .create, for: .readByAll)
            }
            let isLocked = flock(opened.rawValue, LOCK_EX | LOCK_NB) == 0
            let code = errno
            // Only ``isHeld(_:)`` of another process shares it, and only for a moment.
            let isShared = !isLocked && flock(opened.rawValue, LOCK_SH | LOCK_NB) == 0
            // The previous holder may have unlinked the file in between. A lock on an unlinked file
            // excludes no other rig.
            let isTaken = isLocked && HeldPlace.leads(path, to: opened)
            if isTaken || !isLocked && !isShared && code != EWOULDBLOCK {
                place = HeldPlace(opened, at: path, named: folder.path)
                isCertain = isLocked
                return
            }
            try opened.close()
            try RigError.require(
                isLocked || isShared, .usage,
                "the run in \(folder.path) is still under way: another rig works in it; wait for "
                    + "its end, or end it")
        }
    }

    /// True while a rig works in a run folder, which is not changed; false where none can be known.
    package static func isHeld(_ folder: RunFolder) -> Bool {
        guard let opened = try? "\(folder.path)/\(fileName)".opened(.readOnly) else { return false }
        defer { try? opened.close() }
        return flock(opened.rawValue, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Releases the lock and removes its file, once; false if the file there is another's by now.
    @discardableResult
    package func release() -> Bool {
        let isThere = place.isThere
        if isThere { unlink(place.path) }
        flock(place.file.rawValue, LOCK_UN)
        return isThere
    }
}

extension RunFolder {
    /// Creates a folder for a new run, and takes its lock, which the caller releases, before
    /// anything is written to it; throws what they throw.
    ///
    /// Two rigs may find the same folder empty. The second must change nothing: if its manifest
    /// replaced the first one's, the first run could not be judged.
    package static func claim(_ path: String) throws -> (folder: RunFolder, lock: RunLock) {
        let folder = try RunFolder(creating: path)
        let lock = try Self.lock(folder)
        return (folder.held(by: lock), lock)
    }

    /// Takes the lock of a folder to which nothing has been written yet.
    static func lock(_ folder: RunFolder) throws -> RunLock {
        let lock = try RunLock(folder)
        // Another rig that came first may have finished by now.
        guard try folder.isEmpty(butFor: RunLock.fileName) else {
            lock.release()
            throw notEmpty(folder.path)
        }
        return lock
    }
}
