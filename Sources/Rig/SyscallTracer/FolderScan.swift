internal import CPtrace
internal import Foundation
internal import Glibc
package import StorageModel

package enum FolderScan {
    enum Entry {
        case folder
        case link(target: String)
        case file(rig_file)
    }

    /// Everything below a folder, parents before their contents, sorted by name.
    static func entries(of folder: String) -> [(path: String, entry: Entry)] {
        (names(in: folder) ?? []).sorted().flatMap { name -> [(path: String, entry: Entry)] in
            let path = "\(folder)/\(name)"
            guard let status = Tracee.status(path, following: false) else { return [] }
            switch status.mode & S_IFMT {
            case S_IFDIR: return [(path, .folder)] + entries(of: path)
            case S_IFLNK: return [(path, .link(target: Tracee.link(path) ?? ""))]
            case S_IFREG: return [(path, .file(status))]
            default: return []
            }
        }
    }

    package static func paths(below folder: String) -> [UInt64: String] {
        var paths: [UInt64: String] = [:]
        for case (let path, .file(let status)) in entries(of: folder) { paths[status.inode] = path }
        return paths
    }

    /// Everything below a folder by its path relative to the folder, but for special files.
    package static func items(below folder: String) -> [String: FoundFolder.Item] {
        var items: [String: FoundFolder.Item] = [:]
        for (path, entry) in entries(of: folder) {
            items[String(path.dropFirst(folder.count + 1))] =
                switch entry {
                case .folder: .folder
                case .link(let target): .link(target: target)
                case .file(let status): .file(size: status.size)
                }
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
