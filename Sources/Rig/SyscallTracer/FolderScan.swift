internal import CPtrace
internal import Foundation
internal import Glibc
package import StorageModel

package enum FolderScan {
    /// The folders, files and links below a folder, parents before their contents, sorted by name.
    static func entries(of folder: String) -> [(path: String, status: rig_file)] {
        (names(in: folder) ?? []).sorted().flatMap { name -> [(path: String, status: rig_file)] in
            let path = "\(folder)/\(name)"
            guard let status = Tracee.status(path, following: false),
                [S_IFDIR, S_IFREG, S_IFLNK].contains(status.mode & S_IFMT)
            else { return [] }
            return [(path, status)] + (status.isFolder ? entries(of: path) : [])
        }
    }

    package static func paths(below folder: String) -> [UInt64: String] {
        var paths: [UInt64: String] = [:]
        for (path, status) in entries(of: folder) where status.isRegular {
            paths[status.inode] = path
        }
        return paths
    }

    /// Everything below a folder by its path relative to the folder, but for special files.
    package static func items(below folder: String) -> [String: FoundFolder.Item] {
        var items: [String: FoundFolder.Item] = [:]
        for (path, status) in entries(of: folder) {
            items[String(path.dropFirst(folder.count + 1))] =
                status.isFolder
                ? .folder
                : status.isRegular
                    ? .file(size: status.size) : .link(target: Tracee.link(path) ?? "")
        }
        return items
    }

    static func names(in folder: String) -> [String]? {
        try? FileManager.default.contentsOfDirectory(atPath: folder)
    }

    /// A file's bytes from an offset; fewer if the file is shorter.
    static func bytes(of path: String, from offset: Int64 = 0, count: Int) -> [UInt8] {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return bytes(of: file, from: offset, count: count)
    }

    static func bytes(of file: Int32, from offset: Int64, count: Int) -> [UInt8] {
        WholeBytes.read(count) { pread(file, $0, count - $1, off_t(offset) + off_t($1)) }
    }
}
