internal import Foundation
internal import VideoCache

/// A folder of files that appear only when they are complete.
///
/// A file under construction is called `NAME.PID-NUMBER.partial`, and its writer holds a lock on
/// it, which the system releases when the writer dies. So a leftover can be distinguished from a
/// file that any process is still writing. The folder's own lock keeps a file that was created but
/// not yet locked from being taken for a leftover.
struct ImageFolder: Sendable {
    let path: String

    /// Creates a file that gets its name when it is published.
    func beginFile(_ name: String) throws(LibraryError) -> ImageFile {
        let folder = try locked()
        defer { try? folder.finish() }
        var number = 0
        while true {
            let partial = "\(path)/\(name).\(getpid())-\(number)\(Self.suffix)"
            let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                // Cannot fail: no other process has seen the file.
                _ = flock(descriptor, LOCK_EX | LOCK_NB)
                let file = OpenFile(path: "\(path)/\(name)", descriptor: descriptor)
                return ImageFile(file: file, partialPath: partial, folder: path)
            }
            guard errno == EEXIST else { throw LibraryError(OpenFile.failure(partial)) }
            number += 1
        }
    }

    /// Removes leftovers of killed writers; files that are being written stay.
    func removeLeftovers() throws(LibraryError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let folder = try locked()
        defer { try? folder.finish() }
        for name in try names() where Self.isPartial(name) {
            // Published or abandoned in the meantime.
            guard let file = try? OpenFile("\(path)/\(name)", O_RDONLY) else { continue }
            if flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(file.path) }
        }
    }

    /// The folder, locked until it is closed: while files are created or leftovers are removed.
    private func locked() throws(LibraryError) -> OpenFile {
        do throws(CacheError) {
            let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
            while flock(folder.descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw folder.failure() }
            }
            return folder
        } catch {
            throw LibraryError(error)
        }
    }

    /// Removes all finished files but these, and no others; returns how many were removed.
    @discardableResult
    func removeImages(besides kept: Set<String>) throws(LibraryError) -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        var removed = 0
        for name in try names() where Self.isFinished(name) && !kept.contains(name) {
            let file = "\(path)/\(name)"
            guard unlink(file) == 0 || errno == ENOENT else {
                throw LibraryError(OpenFile.failure(file))
            }
            removed += 1
        }
        return removed
    }

    private func names() throws(LibraryError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw LibraryFolder.failure(path, error)
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

/// An image's file under construction, locked while its writer lives.
struct ImageFile {
    /// Has the final path, for errors.
    fileprivate let file: OpenFile
    fileprivate let partialPath: String
    fileprivate let folder: String

    func write(_ data: Data) throws(LibraryError) {
        let result = data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            Result { () throws(CacheError) in try file.write(bytes, at: 0) }
        }
        try result.mapError { LibraryError($0) }.get()
    }

    /// Gives the file its name; in a power cut the bytes must be on disk before that is.
    func publish(durability: Durability) throws(LibraryError) {
        do throws(CacheError) {
            if durability == .power { try FileSystem.ofThisMachine.sync(file) }
            guard rename(partialPath, file.path) == 0 else { throw file.failure() }
            if durability == .power { try FileSystem.ofThisMachine.sync(folder) }
        } catch {
            throw LibraryError(error)
        }
    }

    func abandon() { unlink(partialPath) }
}
