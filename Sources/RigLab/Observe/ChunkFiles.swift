internal import Foundation

/// The bytes of chunks that lie in files, at the chunk's offset.
final class ChunkFiles {
    private let folder: String
    private var handles: [String: FileHandle] = [:]

    /// Reads files of a folder.
    init(folder: String) {
        self.folder = folder
    }

    deinit {
        for handle in handles.values { try? handle.close() }
    }

    /// The bytes of a chunk, as far as the file reaches; none where there is no such file.
    ///
    /// The index may claim anything: no more is read than the file has, and no other folder's file.
    func bytes(file: String, at offset: Int64, length: Int64) throws -> Data {
        guard let handle = handle(file) else { return Data() }
        let end = Int64(clamping: try handle.seekToEnd())
        guard offset < end else { return Data() }
        try handle.seek(toOffset: UInt64(offset))
        return try handle.read(upToCount: Int(min(length, end - offset))) ?? Data()
    }

    private func handle(_ file: String) -> FileHandle? {
        if let open = handles[file] { return open }
        guard !file.contains("/"), file != "..",
            let handle = FileHandle(forReadingAtPath: "\(folder)/\(file)")
        else { return nil }
        handles[file] = handle
        return handle
    }
}
