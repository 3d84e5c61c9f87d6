internal import Foundation
internal import Glibc
internal import SystemPackage

extension String {
    /// The folder that a path lies in; empty for a relative path of one name; Foundation crashes on
    /// Linux where a whole path is one character (`--out q`).
    package var parentFolder: String { FilePath(self).removingLastComponent().string }

    /// The names in the folder with this path; none where it cannot be read.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: self)) ?? [] }

    /// The paths of all that lies in the folder, or in folders there; none where it cannot be read.
    var allBelow: [String] {
        ((try? FileManager.default.subpathsOfDirectory(atPath: self)) ?? []).map { "\(self)/\($0)" }
    }

    /// True for the path of a folder, or of a link to one.
    package var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: self, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// What the link with this path leads to, as it is written there; nil for anything else.
    var linkTarget: String? { try? FileManager.default.destinationOfSymbolicLink(atPath: self) }

    /// True for the path of anything else that exists.
    package var isFile: Bool { FileManager.default.fileExists(atPath: self) && !isFolder }

    /// True for the path of a plain file, or of a link to one.
    var isPlainFile: Bool {
        var facts = stat()
        return stat(self, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    var fileSize: Int64? { fileFacts.map { Int64($0.st_size) } }

    /// What the system knows of a file, or of the link itself; nil if there is none; Foundation
    /// reads `/etc/passwd` and `/etc/group` for it every time.
    var fileFacts: stat? {
        var facts = stat()
        return lstat(self, &facts) == 0 ? facts : nil
    }

    /// Opens the file with this path so that no program inherits it; a new one has the permissions.
    func opened(
        _ mode: FileDescriptor.AccessMode, _ options: FileDescriptor.OpenOptions = [],
        for permissions: FilePermissions = .ownerReadWrite
    ) throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(self), mode, options: options.union(.closeOnExec),
            permissions: options.contains(.create) ? permissions : nil)
    }
}

extension FilePermissions {
    /// Those of what every user may read.
    static let readByAll: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
}

/// Paths that mean the same in every process.
package enum RealPath {
    /// True if a file is really one of some files, or lies in one of some folders.
    package static func isIn(_ places: [String], _ path: String) -> Bool {
        let real = of(path)
        return places.map(of).contains { real == $0 || $0 == "/" || real.hasPrefix($0 + "/") }
    }

    /// The absolute path without symbolic links; unchanged when the file does not exist.
    static func of(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
