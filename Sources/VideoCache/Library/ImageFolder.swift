internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A folder of files that appear whole.
///
/// A file under construction is called `NAME.PID-NUMBER.partial`, and its writer holds a lock on
/// it, which the system drops when the writer dies: so a leftover can be told from a file that is
/// being written, by whatever process. The folder's own lock keeps the moment between creating a
/// file and locking it from being taken for a leftover.
struct ImageFolder: Sendable {
    let path: String

    /// Begins a file that appears under its name when it is published.
    func beginFile(_ name: String) throws(LibraryError) -> PartialFile {
        let lock = try FolderLock(path)
        defer { lock.release() }
        var number = 0
        while true {
            let partial = "\(path)/\(name).\(getpid())-\(number)\(Self.suffix)"
            let file = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if file >= 0 {
                // Nobody else has seen the file: the lock is free.
                _ = flock(file, LOCK_EX | LOCK_NB)
                return PartialFile(
                    descriptor: file, partialPath: partial, path: "\(path)/\(name)", folder: path)
            }
            guard errno == EEXIST else { throw .fromSystem(errno, path: partial) }
            number += 1
        }
    }

    /// Removes what killed writers have left; files that are being written stay.
    func removeLeftovers() throws(LibraryError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let lock = try FolderLock(path)
        defer { lock.release() }
        for name in try names() where Self.isPartial(name) {
            let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
            // Published or abandoned meanwhile.
            guard file >= 0 else { continue }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink("\(path)/\(name)") }
            close(file)
        }
    }

    /// Removes all finished files, and no others.
    func removeImages() throws(LibraryError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        for name in try names() where Self.isFinished(name) {
            guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else {
                throw .fromSystem(errno, path: "\(path)/\(name)")
            }
        }
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

/// A file under construction, locked as long as its writer lives.
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

    /// Gives the file its name; after that, it is there whole, or was before.
    ///
    /// To survive a power cut, first the bytes and then the name must have reached the disk.
    func publish(durability: Durability) throws(LibraryError) {
        if durability == .power, fsync(descriptor) != 0 { throw .fromSystem(errno, path: path) }
        guard rename(partialPath, path) == 0 else { throw .fromSystem(errno, path: path) }
        if durability == .power { try LibraryFolder.synchronize(folder) }
    }

    /// Removes what is there, unless it was published.
    func abandon() { unlink(partialPath) }
}

/// A method of the same name hides the system's function.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
}

/// The folder's lock, held while files are created or swept.
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
