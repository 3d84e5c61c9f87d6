internal import Foundation
internal import Glibc

enum Removal {
    /// Removes a file, a link itself, or a folder with everything in it, also where folders in it
    /// are read-only: package managers make such folders, and `rm -r` cannot remove them.
    static func remove(_ path: String) throws {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            guard path.fileFacts != nil else { throw error }
            open(path)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    private static func open(_ path: String) {
        guard let mode = path.fileFacts?.st_mode, mode & S_IFMT == S_IFDIR else { return }
        chmod(path, mode & 0o7777 | S_IRWXU)
        for name in path.names { open("\(path)/\(name)") }
    }
}
