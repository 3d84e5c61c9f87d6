internal import Foundation
internal import Glibc
internal import SystemPackage

extension String {
    /// The path of the folder that a path lies in; empty for a relative path of one name.
    ///
    /// Foundation's `deletingLastPathComponent` crashes on Linux where a whole path is one
    /// character, such as `--out q`.
    package var parentFolder: String { FilePath(self).removingLastComponent().string }

    /// True for the path of a folder, or of a link to one.
    package var isFolder: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: self, isDirectory: &isFolder)
            && isFolder.boolValue
    }

    /// True for the path of anything else that exists.
    package var isFile: Bool { FileManager.default.fileExists(atPath: self) && !isFolder }

    /// True for the path of a plain file, or of a link to one.
    var isPlainFile: Bool {
        var facts = stat()
        return stat(self, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    }

    /// The length in bytes of the file with this path; nil if there is none.
    var fileSize: Int64? { fileFacts.map { Int64($0.st_size) } }

    /// What the system knows of the file with this path, or of the link itself; nil if there is
    /// none.
    ///
    /// Foundation's attributes include the names of owner and group, for which it reads
    /// `/etc/passwd` and `/etc/group` every time.
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
