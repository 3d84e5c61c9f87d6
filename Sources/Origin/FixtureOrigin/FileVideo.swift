internal import Fixture
internal import Glibc

package enum FileVideoError: Error, Hashable, CustomStringConvertible {
    case cannotOpen(path: String, reason: String)
    /// The path names a folder or a device.
    case notAFile(path: String)
    case empty(path: String)
    /// Reading failed after the file had been opened.
    case cannotRead(path: String, offset: Int64, reason: String)

    package var description: String {
        switch self {
        case .cannotOpen(let path, let reason):
            "\(path) cannot be opened: \(reason). Check the path and its permissions."
        case .notAFile(let path): "\(path) is not a regular file. Give the path of a video file."
        case .empty(let path): "\(path) is empty. Give the path of a video file."
        case .cannotRead(let path, let offset, let reason):
            """
            \(path) cannot be read at offset \(offset): \(reason). \
            Leave the file alone while it is served.
            """
        }
    }
}

/// A video in a file, read while it is served.
package final class FileVideo: VideoSource {
    package let path: String
    /// How many bytes the file had when it was opened.
    package let length: Int64
    /// Identifies the content by the file's size, modification time and inode number.
    package let identity: String

    private let descriptor: Int32

    /// Opens a regular file with at least one byte, which must not change afterwards.
    package init(path: String) throws(FileVideoError) {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        var status = stat()
        let reason = file < 0 || fstat(file, &status) != 0 ? Self.reason() : nil
        let changed = status.st_mtim
        self.path = path
        length = Int64(status.st_size)
        identity = "file-\(length)-\(changed.tv_sec).\(changed.tv_nsec)-\(status.st_ino)"
        // From here on, deinit closes it.
        descriptor = file
        if let reason { throw .cannotOpen(path: path, reason: reason) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
        guard length > 0 else { throw .empty(path: path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try checkWindow(at: offset, count: buffer.count)
        guard let base = buffer.baseAddress else { return }
        var done = 0
        while done < buffer.count {
            let count = pread(
                descriptor, base + done, buffer.count - done, off_t(offset) + off_t(done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw FileVideoError.cannotRead(
                    path: path, offset: offset + Int64(done),
                    reason: count == 0 ? "the file has become shorter" : Self.reason())
            }
            done += count
        }
    }

    private static func reason() -> String { String(cString: strerror(errno)) }
}
