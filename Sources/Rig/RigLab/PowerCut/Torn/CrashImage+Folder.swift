internal import CFileSystem
internal import Foundation
internal import RigModel
package import StorageModel

extension CrashImage {
    /// Replaces an existing folder's content by the image; throws exit code 70 when that fails.
    package func replace(folder: String) throws {
        let files = FileManager.default
        try SystemFailure.explained("cannot write what the power cut left to \(folder)") {
            for name in try files.contentsOfDirectory(atPath: folder) {
                try Removal.remove("\(folder)/\(name)")
            }
            var written: [FileID: String] = [:]
            for path in paths {
                let target = "\(folder)/\(path)"
                switch names.nodes[path] {
                case .folder:
                    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
                case .symbolicLink(let destination):
                    try files.createSymbolicLink(atPath: target, withDestinationPath: destination)
                case .file(let file):
                    if let first = written[file] {
                        try files.linkItem(atPath: first, toPath: target)
                    } else {
                        try Self.write(contents[file] ?? SparseBytes(), to: target)
                        try (attributes[file] ?? .standard(isFolder: false)).set(on: target)
                        written[file] = target
                    }
                case nil: break
                }
            }
            // When everything is in them: nothing can be written to some.
            for path in paths.reversed() where names.nodes[path] == .folder {
                try (folderAttributes[path] ?? .standard(isFolder: true)).set(
                    on: "\(folder)/\(path)")
            }
        }
    }

    /// The same, and a file there that no cut can have changed; throws exit code 70 if that fails.
    package func replace(folder: String, with content: SparseBytes, as name: String) throws {
        try replace(folder: folder)
        try SystemFailure.explained("cannot write \(folder)/\(name)") {
            try Self.write(content, to: "\(folder)/\(name)")
        }
    }

    private static func write(_ content: SparseBytes, to path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for piece in content.pieces {
            try file.seek(toOffset: UInt64(piece.offset))
            try file.write(contentsOf: piece.bytes)
        }
        try file.truncate(atOffset: UInt64(content.size))
        try file.close()
    }
}

extension FileAttributes {
    fileprivate func set(on path: String) throws {
        for (name, value) in extended {
            try check(file_set_attribute(path, name, value, value.count))
        }
        if owner != geteuid() || group != getegid() { try check(chown(path, owner, group)) }
        // After the owner, whose change takes the bits for set-user-id.
        try check(chmod(path, mode_t(mode)))
        guard let modified else { return }
        let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
        try check(utimensat(AT_FDCWD, path, [time, time], 0))
    }

    private func check(_ result: Int32) throws {
        if result != 0 { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }
}
