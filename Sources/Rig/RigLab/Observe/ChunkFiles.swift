internal import Foundation
internal import Glibc
internal import SystemPackage

/// The bytes of chunks that are stored in files, at the chunk's offset.
final class ChunkFiles {
    private let folder: String
    private var files: [String: FileDescriptor] = [:]

    init(folder: String) { self.folder = folder }

    deinit { for file in files.values { try? file.close() } }

    /// The bytes of a chunk, as far as the file reaches; empty when there is no such file.
    ///
    /// The index may claim anything, so reads stay within the file and within the folder.
    func bytes(file name: String, at offset: Int64, length: Int64) throws -> Data {
        guard let file = file(name) else { return Data() }
        var facts = stat()
        guard fstat(file.rawValue, &facts) == 0 else { throw Errno(rawValue: errno) }
        // The length of a folder means nothing.
        guard facts.st_mode & S_IFMT != S_IFDIR else { throw Errno.isDirectory }
        let end = Int64(facts.st_size)
        guard offset < end else { return Data() }
        var bytes = Data(count: Int(min(length, end - offset)))
        let count = try bytes.withUnsafeMutableBytes { buffer in
            try buffer.fill { rest, filled in
                try file.read(fromAbsoluteOffset: offset + Int64(filled), into: rest)
            }
        }
        return count == bytes.count ? bytes : bytes.prefix(count)
    }

    private func file(_ name: String) -> FileDescriptor? {
        if let open = files[name] { return open }
        guard !name.contains("/"), name != "..",
            let file = try? FileDescriptor.open(
                FilePath("\(folder)/\(name)"), .readOnly, options: .closeOnExec)
        else { return nil }
        files[name] = file
        return file
    }
}
