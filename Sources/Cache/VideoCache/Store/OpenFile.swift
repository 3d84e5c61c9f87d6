internal import Foundation
internal import Synchronization

/// An open file; closed when the object is released, if it was not before.
package final class OpenFile: Sendable {
    package let path: String
    package let descriptor: Int32
    private let isClosed = Atomic(false)

    package convenience init(_ path: String, _ flags: Int32) throws(CacheError) {
        var descriptor = open(path, flags | O_CLOEXEC, 0o666)
        if descriptor < 0, errno == EISDIR, flags & O_CREAT != 0, Self.putAside(path) {
            descriptor = open(path, flags | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else { throw Self.failure(path) }
        self.init(path: path, descriptor: descriptor)
    }

    /// Takes over an open descriptor; `path` names it in errors.
    package init(path: String, descriptor: Int32) {
        (self.path, self.descriptor) = (path, descriptor)
    }

    deinit { if !isClosed.load(ordering: .relaxed) { close(descriptor) } }

    /// Closes the file, which must not be used again.
    ///
    /// A file system of a network tells only now that it could not write, and to none that opens the
    /// file later: a sync would succeed.
    package func finish() throws(CacheError) {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        guard close(descriptor) == 0 || errno == EINTR else { throw failure() }
    }

    /// Throws if it cannot be found out whether there is a file, as in another user's folder.
    package static func expectVisible(_ path: String) throws(CacheError) {
        guard FileFacts(path) == nil, errno != ENOENT, errno != ENOTDIR else { return }
        throw .ofSystem(path, errno)
    }

    /// Opens a file, if one is given of an open folder; nil if there is none, or no such folder.
    static func ifThere(
        _ name: String, _ flags: Int32, in folder: OpenFile? = nil
    ) throws(CacheError) -> OpenFile? {
        let path = folder.map { "\($0.path)/\(name)" } ?? name
        let place = folder?.descriptor ?? AT_FDCWD
        var descriptor = openat(place, name, flags | O_CLOEXEC, 0o666)
        if folder != nil, descriptor < 0, errno == EISDIR, flags & O_CREAT != 0,
            putAside(name, in: place)
        {
            descriptor = openat(place, name, flags | O_CLOEXEC, 0o666)
        }
        guard descriptor < 0 else { return OpenFile(path: path, descriptor: descriptor) }
        let code = errno
        // A folder in the place of a file of the cache's holds none of its bytes.
        let isNone = [ENOENT, ENOTDIR].contains(code) || folder != nil && code == EISDIR
        guard isNone else { throw failure(path, code) }
        return nil
    }

    /// Takes what stands in the place of the cache's own out of the way: it is renamed, or removed if
    /// it is an empty folder.
    @discardableResult
    static func putAside(_ path: String, in folder: Int32 = AT_FDCWD) -> Bool {
        if unlinkat(folder, path, AT_REMOVEDIR) == 0 { return true }
        return (1...9).contains { number in
            let other = "\(path).aside\(number)"
            return faccessat(folder, other, F_OK, 0) != 0
                && renameat(folder, path, folder, other) == 0
        }
    }

    var diskBytes: Int64 {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 ? Int64(facts.st_blocks) * 512 : 0
    }

    /// True if a range has no hole as coarse as a block, or the file system does not tell.
    func isWritten(_ range: ByteRange) -> Bool {
        let start = Int64(lseek(descriptor, off_t(range.offset), Self.seekData))
        guard start >= 0 else { return errno != ENXIO }
        let end = Int64(lseek(descriptor, off_t(range.offset), Self.seekHole))
        return start == range.offset && (end < 0 || end >= range.end)
    }

    /// True if nothing of a range was ever written, where the file system tells.
    func isHole(_ range: ByteRange) -> Bool {
        let start = Int64(lseek(descriptor, off_t(range.offset), Self.seekData))
        return start < 0 ? errno == ENXIO : start >= range.end
    }

    var size: Int64 { FileFacts(of: descriptor)?.size ?? 0 }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(CacheError) {
        var done = 0
        while done < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = pwrite(
                descriptor, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    /// The bytes of a range; nil if the file ends before it.
    func read(_ range: ByteRange) throws(CacheError) -> [UInt8]? {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(range.length)) { memory, done in
            while done < memory.count {
                let rest = UnsafeMutableBufferPointer(rebasing: memory[done...])
                let position = off_t(range.offset + Int64(done))
                let count = pread(descriptor, rest.baseAddress, rest.count, position)
                if count < 0, errno == EINTR { continue }
                if count < 0 { code = errno }
                guard count > 0 else { return }
                done += count
            }
        }
        // EIO means that the disk can no longer read the bytes: they count as damaged (C5). So do those
        // in whose place a folder is.
        guard [0, EIO, EISDIR].contains(code) else { throw failure(code) }
        return Int64(bytes.count) == range.length ? bytes : nil
    }

    /// Writes all bytes again as they are; of a hole, up to 64 KB may become zeros.
    func rewrite() throws(CacheError) {
        let size = size
        var offset: Int64 = 0
        while offset < size {
            let part = ByteRange(offset: offset, length: min(64 << 10, size - offset))
            offset = part.end
            guard !isHole(part), let bytes = try read(part) else { continue }
            try bytes.withUnsafeBytes { bytes in
                Result { () throws(CacheError) in try write(bytes, at: part.offset) }
            }.get()
        }
    }

    func truncate(to size: Int64) throws(CacheError) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw failure() }
    }

    package func failure(_ code: Int32 = errno) -> CacheError { Self.failure(path, code) }

    package static func failure(_ path: String, _ code: Int32 = errno) -> CacheError {
        switch code {
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case EFBIG: .fileTooLarge(path: path)
        case EROFS, EACCES, EPERM: .readOnly(path: path)
        default: .ofSystem(path, code)
        }
    }
}

/// Calls the system's function, which is hidden by the methods of the same name.
func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(file, bytes, count)
}
