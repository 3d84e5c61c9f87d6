internal import Foundation
internal import RigModel

/// Copies the state that a kill left behind: verifying must not change the evidence.
///
/// Opening a SQLite database runs its recovery, so the rig opens a copy. The write-ahead log goes
/// with the database; the shared-memory file is left out, because it is rebuilt from the log.
///
/// A value of this type is such a copy: code that asks for one cannot be given the folder in
/// which the relaunched worker is at work meanwhile.
struct StateCopy: Sendable {
    /// The copy's folder.
    let folder: String

    fileprivate init(folder: String) {
        self.folder = folder
    }

    /// Copies a folder's files, and the folders in it, to a new folder, replacing what is there.
    ///
    /// Any program's state can be copied: sockets, pipes and devices are no bytes of it and are left
    /// out, as is what vanishes meanwhile.
    ///
    /// - Parameters:
    ///   - source: the folder.
    ///   - target: the new one.
    ///   - visit: is told each path that was found, right before it is looked at.
    /// - Returns: the copy.
    /// - Throws: ``RigError`` with exit code 70 when a file cannot be copied.
    @discardableResult
    static func copy(
        from source: String, to target: String, visit: (String) -> Void = { _ in }
    ) throws -> StateCopy {
        let files = FileManager.default
        do {
            if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
            try files.createDirectory(atPath: target, withIntermediateDirectories: true)
            try copyContents(of: source, to: target, visit)
            return StateCopy(folder: target)
        } catch {
            throw RigError(
                .failure,
                "cannot copy the worker's state \(source): \(error.localizedDescription); "
                    + "free some space, or let the worker make files that its user can read")
        }
    }

    private static func copyContents(
        of source: String, to target: String, _ visit: (String) -> Void
    ) throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: source) where !name.hasSuffix("-shm") {
            let (from, to) = ("\(source)/\(name)", "\(target)/\(name)")
            visit(from)
            do {
                switch try files.attributesOfItem(atPath: from)[.type] as? FileAttributeType {
                case .typeRegular?:
                    try FileCopy.copy(from: from, to: to)
                case .typeSymbolicLink?:
                    try files.copyItem(atPath: from, toPath: to)
                case .typeDirectory?:
                    try files.createDirectory(atPath: to, withIntermediateDirectories: false)
                    try copyContents(of: from, to: to, visit)
                default: break
                }
            } catch {
                // It was there when the folder was read.
                guard !isThere(from) else { throw error }
            }
        }
    }

    /// True also for a link that leads nowhere.
    private static func isThere(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }
}

extension IterationFolder {
    /// Copies the state as a kill of the iteration has left it.
    func keepState(ofKill kill: Int) throws {
        try StateCopy.copy(from: state, to: stateCopy(ofKill: kill))
    }

    /// What ``keepState(ofKill:)`` has copied.
    func keptState(ofKill kill: Int) -> StateCopy { StateCopy(folder: stateCopy(ofKill: kill)) }
}
