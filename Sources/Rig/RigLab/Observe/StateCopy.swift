internal import Foundation
internal import Glibc
internal import RigModel

/// A copy of the state that a kill left behind: verifying must not change the evidence.
///
/// Opening a SQLite database runs its recovery, so the rig opens a copy. The WAL is copied with the
/// database; the shared-memory file is left out, because it is rebuilt from the WAL.
///
/// Only this type can be passed to code that reads such a copy, so that code cannot be given the
/// folder in which a worker is running. The one exception is ``IterationFolder/restingState``.
struct StateCopy: Sendable {
    let folder: String

    fileprivate init(folder: String) { self.folder = folder }

    /// Copies a folder's files, and the folders in it, to a new folder, replacing what is there;
    /// `visit` is called with each path right before it is read.
    ///
    /// Any program's state can be copied: sockets, pipes and devices hold no stored bytes and are
    /// left out, as are files that vanish during the copy.
    @discardableResult
    static func copy(
        from source: String, to target: String, visit: (String) -> Void = { _ in }
    ) throws -> StateCopy {
        let files = FileManager.default
        return try SystemFailure.explained(
            "cannot copy the worker's state \(source)",
            ", or let the worker make files that its user can read"
        ) {
            if files.fileExists(atPath: target) { try Removal.remove(target) }
            try files.createDirectory(atPath: target, withIntermediateDirectories: true)
            try copyContents(of: source, to: target, visit)
            return StateCopy(folder: target)
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
                switch (from.fileFacts?.st_mode).map({ $0 & S_IFMT }) {
                case S_IFREG?: try FileCopy.copy(from: from, to: to)
                case S_IFLNK?: try files.copyItem(atPath: from, toPath: to)
                case S_IFDIR?:
                    try files.createDirectory(atPath: to, withIntermediateDirectories: false)
                    try copyContents(of: from, to: to, visit)
                default: break
                }
            } catch {
                // A file that vanished after the folder was listed is no error.
                guard from.fileFacts == nil else { throw error }
            }
        }
    }
}

extension IterationFolder {
    /// Copies the state that a kill of the iteration has left, and notes where its log ends.
    func keepState(ofKill kill: Int) throws {
        launches.noteEnd(ofKill: kill)
        try StateCopy.copy(from: state, to: stateCopy(ofKill: kill))
    }

    /// The state itself, when no program of the iteration runs, nor will: it is evidence of nothing
    /// then, and may be changed by a look into it.
    var restingState: StateCopy { StateCopy(folder: state) }

    func keptState(ofKill kill: Int) -> StateCopy { StateCopy(folder: stateCopy(ofKill: kill)) }
}

/// The copy of a worker's state, with paths as the worker's profile names them.
struct CopiedState: Sendable {
    /// The copy's folder, which replaces `{dir}`.
    let folder: String
    /// The completed video's name in the state folder; nil for a worker that stores it elsewhere.
    var outputName: String?

    /// A file in the copy by the profile's path, with `{dir}`, `{output}`, or relative to `{dir}`;
    /// throws exit code 64 for another path: what was not copied may have changed since the kill.
    func path(_ path: String) throws(RigError) -> String {
        // The folder itself may be relative, so only the text of the path is checked.
        var name = path
        if let outputName { name.replace("{output}", with: "{dir}/\(outputName)") }
        if name.hasPrefix("{dir}/") { name.removeFirst("{dir}/".count) }
        guard !name.hasPrefix("/"), !name.contains(#/\{[a-z_]+\}/#),
            !name.split(separator: "/").contains("..")
        else { throw Self.outside(path) }
        // A link is copied as one, and may lead to a file that has changed since the kill.
        let real = RealPath.of(folder)
        guard RealPath.isIn([real], "\(real)/\(name)") else { throw Self.outside(path) }
        return "\(folder)/\(name)"
    }

    private static func outside(_ path: String) -> RigError {
        RigError.usage(
            "\(path) is no file of the worker's state folder, and the rig reads a copy of that;"
                + " let inspect name a file in {dir}")
    }
}
