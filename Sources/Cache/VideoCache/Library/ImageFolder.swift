internal import Foundation

/// A folder of files that appear only when they are complete.
///
/// A file under construction is called `NAME.PID-NUMBER.partial`, and its writer holds a lock on
/// it, which the system releases when the writer dies. So a leftover can be distinguished from a
/// file that any process is still writing. The folder's own lock keeps a file that was created but
/// not yet locked from being taken for a leftover.
struct ImageFolder: Sendable {
    let path: String

    /// Creates a file that gets its name when it is published.
    func beginFile(_ name: String) throws(LibraryError) -> PartialFile {
        let lock = try FolderLock(path)
        defer { lock.release() }
        var number = 0
        while true {
            let partial = "\(path)/\(name).\(getpid())-\(number)\(Self.suffix)"
            let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if file >= 0 {
                // Cannot fail: no other process has seen the file.
                _ = flock(file, LOCK_EX | LOCK_NB)
                return PartialFile(
                    descriptor: file, partialPath: partial, path: "\(path)/\(name)", folder: path)
            }
            guard errno == EEXIST else { throw .fromSystem(errno, path: partial) }
            number += 1
        }
    }

    /// Removes leftovers of killed writers; files that are being written stay.
    func removeLeftovers() throws(LibraryError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let lock = try FolderLock(path)
        defer { lock.release() }
        for name in try names() where Self.isPartial(name) {
            let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
            // Published or abandoned in the meantime.
            guard file >= 0 else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink("\(path)/\(name)") }
            close(file)
        }
    }

    /// Removes all finished files but these, and no others; returns how many were removed.
    @discardableResult
    func removeImages(besides kept: Set<String>) throws(LibraryError) -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        var removed = 0
        for name in try names() where Self.isFinished(name) && !kept.contains(name) {
            guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
                throw .fromSystem(errno, path: "\(path)/\(name)")
            }
            removed += 1
        }
        return removed
    }

    private func names() throws(LibraryError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw .inputOutput(path: path, reason: LibraryFolder.reason(error))
        }
    }

    private static let suffix = ".partial"
    private static let nameLength = 32

    private static func isFinished(_ name: String) -> Bool {
        name.utf8.count == nameLength && name.utf8.allSatisfy { isHexDigit($0) }
    }

    private static func isPartial(_ name: String) -> Bool {
        name.hasSuffix(suffix) && name.utf8.dropFirst(nameLength).first == UInt8(ascii: ".")
            && isFinished(String(decoding: name.utf8.prefix(nameLength), as: UTF8.self))
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}

/// A file under construction, locked while its writer lives.
final class PartialFile {
    private let descriptor: Int32
    private let partialPath: String
    private let path: String
    private let folder: String

    fileprivate init(descriptor: Int32, partialPath: String, path: String, folder: String) {
        self.descriptor = descriptor
        self.partialPath = partialPath
        self.path = path
        self.folder = folder
    }

    deinit { close(descriptor) }

    func write(_ data: Data) throws(LibraryError) {
        let code = data.withUnsafeBytes { bytes -> Int32? in
            var done = 0
            while done < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = systemWrite(descriptor, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return errno }
                done += count
            }
            return nil
        }
        if let code { throw .fromSystem(code, path: path) }
    }

    /// Renames the file to its final name, which never refers to an incomplete file.
    ///
    /// To survive a power cut, first the bytes and then the directory entry must reach the disk.
    func publish(durability: Durability) throws(LibraryError) {
        if durability == .power, fsync(descriptor) != 0 { throw .fromSystem(errno, path: path) }
        guard rename(partialPath, path) == 0 else { throw .fromSystem(errno, path: path) }
        if durability == .power { try LibraryFolder.synchronize(folder) }
    }

    /// Removes the file, unless it was published.
    func abandon() { unlink(partialPath) }
}

/// The folder's lock, held while files are created or leftovers are removed.
private struct FolderLock {
    private let descriptor: Int32

    init(_ path: String) throws(LibraryError) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .fromSystem(errno, path: path) }
        while flock(descriptor, LOCK_EX) != 0 {
            let code = errno
            guard code == EINTR else {
                close(descriptor)
                throw .fromSystem(code, path: path)
            }
        }
    }

    func release() { close(descriptor) }
}
