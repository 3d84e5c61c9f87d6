internal import Foundation
internal import Glibc
package import RigModel
internal import SystemPackage

/// A run's folder on disk.
///
/// Rows are appended and flushed as they come, so a killed rig loses at most the iterations under
/// way and those that wait for their turn to be written.
package struct RunFolder: Sendable {
    package let path: String
    /// The folders that were made to create it in, the innermost first.
    private let parents: [String]
    /// The file of the lock under which the rig works here; nil without one.
    private var place: HeldPlace?

    /// An existing run folder; throws exit code 65 when there is no such folder.
    package init(existing path: String) throws {
        try RigError.require(
            path.isFolder, .data, "there is no run folder \(path); name one that rig wrote")
        self.path = path
        parents = []
    }

    /// The same folder, which is written to only as long as the lock's file is in it.
    package func held(by lock: RunLock) -> RunFolder {
        var folder = self
        folder.place = lock.place
        return folder
    }

    /// The error (70) for a folder that was removed, or is another run's by now; nil for none.
    package var loss: RigError? { place?.loss }

    package func check() throws(RigError) { if let loss { throw loss } }

    /// The folder's path without symbolic links: the same path under every name of the folder.
    package var realPath: String { RealPath.of(path) }

    /// A path that stays valid: the link `latest` points to another run later.
    package var lastingPath: String {
        guard let target = path.linkTarget else { return path }
        let parent = path.parentFolder
        return target.hasPrefix("/") || parent.isEmpty ? target : "\(parent)/\(target)"
    }

    /// The shortest path that names the folder now: the link `latest` beside it if it points here.
    package var shortPath: String {
        let parent = path.parentFolder
        let link = parent.isEmpty ? "latest" : "\(parent)/latest"
        return link.linkTarget == URL(fileURLWithPath: path).lastPathComponent ? link : path
    }

    /// The names of the subfolders, sorted; throws exit code 65 when the folder cannot be read.
    package func subfolders() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
                .filter { "\(path)/\($0)".isFolder }.sorted()
        } catch {
            throw Self.unread(path, error)
        }
    }

    /// Creates a folder for a new run; an existing one must be empty: a run overwrites nothing;
    /// throws exit code 64 when it is not empty or is no folder, 77 without permission, else 70.
    package init(creating path: String) throws {
        let files = FileManager.default
        try RigError.require(
            !path.isEmpty && !path.isFile, "'\(path)' is no folder; name a new one with --out")
        guard path.names.isEmpty else { throw Self.notEmpty(path) }
        parents = Self.missingParents(of: path)
        do {
            try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            let failure = SystemFailure(error)
            throw RigError(
                failure.isForbidden ? .permission : .failure,
                "cannot create the run folder \(path): \(failure), or name another one with --out")
        }
        self.path = path
    }

    /// The folders above a path that do not exist, the innermost first.
    private static func missingParents(of path: String) -> [String] {
        let parent = path.parentFolder
        guard !parent.isEmpty, !FileManager.default.fileExists(atPath: parent) else { return [] }
        return [parent] + missingParents(of: parent)
    }

    /// The error, with exit code 65, for what is there and cannot be read.
    private static func unread(_ path: String, _ error: any Error) -> RigError {
        let failure = SystemFailure(error)
        let remedy = failure.isForbidden ? "see who may read it" : "restore it from a copy"
        return RigError(.data, "cannot read \(path): \(failure.reason); \(remedy)")
    }

    static func notEmpty(_ path: String) -> RigError {
        RigError(.usage, "\(path) is not empty; name a new folder with --out")
    }

    /// True when the folder is empty, or holds only a file of that name.
    func isEmpty(butFor name: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: path).allSatisfy { $0 == name }
    }

    /// Writes a whole file: under a temporary name first, so that no reader sees a partial file.
    package func write(_ text: String, to name: String) throws(RigError) {
        try check()
        let target = "\(path)/\(name)"
        try SystemFailure.explained("cannot write \(target)") {
            try text.write(toFile: target, atomically: true, encoding: .utf8)
        }
    }

    /// The text of a file of the run, nil without one; throws exit code 65 if unreadable as UTF-8.
    package func text(of name: String) throws -> String? {
        guard let content = try bytes(of: name) else { return nil }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw RigError(
                .data, "cannot read \(path)/\(name) as UTF-8 text; restore it from a copy")
        }
        return text
    }

    /// The last lines of a file of the run, at most 20 and 4 KB; nil when the file does not exist.
    package func tail(of name: String) -> String? {
        WorkerLog.lines("\(path)/\(name)")?.suffix(20).joined(separator: "\n")
    }

    /// The bytes of a file of the run, nil without one; throws exit code 65 when it cannot be read.
    package func bytes(of name: String) throws -> [UInt8]? {
        let target = "\(path)/\(name)"
        guard FileManager.default.fileExists(atPath: target) else { return nil }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: target)))
        } catch {
            throw Self.unread(target, error)
        }
    }

    package func appender(to name: String) throws -> LineAppender {
        try check()
        return try LineAppender(path: "\(path)/\(name)")
    }

    /// The prefix of the names of all folders for the state of iterations.
    package static let scratchPrefix = "scratch"

    /// Creates the folder for the state of the iteration under way; what runs after the run uses
    /// another name than the run's, which begins with ``scratchPrefix``, too.
    ///
    /// The path is absolute: workers may change their working directory.
    package func makeScratch(_ name: String = scratchPrefix) throws -> String {
        try check()
        let scratch = URL(fileURLWithPath: "\(path)/\(name)").path
        do {
            try FileManager.default.createDirectory(
                atPath: scratch, withIntermediateDirectories: true)
        } catch {
            let failure = SystemFailure(error)
            try RigError.require(
                failure.isForbidden, .failure, "cannot create \(scratch): \(failure)")
            throw RigError.permission(
                "cannot create \(scratch): \(failure.reason); copy \(path) to where you may write,"
                    + " and name the copy")
        }
        reserve(in: scratch)
        return scratch
    }

    /// Reserves 4 MB for a run's summary and report, written once the scratch folder is removed.
    private func reserve(in scratch: String) {
        let file = open("\(scratch)/reserve", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        // Without space for the reserve there is none for an iteration either; that is checked
        // next.
        posix_fallocate(file, 0, 4 << 20)
    }

    /// Removes the iterations' state; returns what is left of it, and why, or nil when it is gone.
    @discardableResult
    package func removeScratch(_ name: String = scratchPrefix) -> String? {
        // What lies there now is another run's.
        guard loss == nil else { return nil }
        let scratch = "\(path)/\(name)"
        do {
            try Removal.remove(scratch)
            return nil
        } catch {
            let isThere = scratch.fileFacts != nil
            return isThere ? "cannot remove \(scratch): \(SystemFailure(error))" : nil
        }
    }

    /// Removes the folder if nothing was written to it, and the folders that were made for it.
    package func removeIfEmpty() {
        // rmdir(2) fails on a folder that is not empty, which is what is wanted.
        for folder in [path] + parents { rmdir(folder) }
    }

    /// True if there is a row in it, however it is judged.
    package var hasRows: Bool {
        // The header is a line as well.
        ((try? bytes(of: "iterations.csv")) ?? nil).map { $0.count { $0 == 10 } > 1 } ?? false
    }

    /// Removes the folder with everything in it, and the folders that were made for it.
    package func discard() {
        guard loss == nil else { return }
        try? Removal.remove(path)
        removeIfEmpty()
    }

    package func linkAsLatest() {
        // Of `--out .` as well, whose path has no folder above it in words.
        let folder = URL(fileURLWithPath: path)
        let link = folder.deletingLastPathComponent().appendingPathComponent("latest").path
        let files = FileManager.default
        // A file or folder of the user's that happens to have this name is left alone.
        guard link.linkTarget != nil || !files.fileExists(atPath: link) else { return }
        try? files.removeItem(atPath: link)
        try? files.createSymbolicLink(atPath: link, withDestinationPath: folder.lastPathComponent)
    }
}

/// A file to which whole lines are appended, each with one system call.
package final class LineAppender: Sendable {
    private let file: FileDescriptor
    private let path: String

    init(path: String) throws {
        self.path = path
        file = try SystemFailure.explained("cannot write \(path)") {
            try path.opened(.writeOnly, [.create, .append], for: .readByAll)
        }
    }

    deinit { try? file.close() }

    /// Appends a text; it is handed to the kernel before the call returns.
    package func append(_ text: String) throws {
        try SystemFailure.explained("cannot append to \(path)") { try file.writeAll(text.utf8) }
    }
}
