#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension VideoCache {
    /// Writes a complete video to a file, only from chunks with a correct checksum (C5).
    ///
    /// The file appears whole or not at all: it is written under another name and then renamed.
    /// Damaged chunks are dropped from the cache, so that the next fetch downloads them again.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - path: the file; an existing one is replaced.
    ///   - cancellation: ends the export, which then leaves no file.
    /// - Throws: ``CacheError`` that says what is missing or was dropped;
    ///   ``TransportError/cancelled``.
    public func export(
        _ url: String, to path: String, cancellation: Cancellation = Cancellation()
    ) throws {
        if let video = try video(url), let lost = try store.mend(video), !lost.isEmpty {
            throw CacheError.damaged(url: url, dropped: lost)
        }
        let missing = try missingRanges(of: url)
        guard missing.isEmpty else { throw CacheError.incomplete(url: url, missing: missing) }
        let length = try video(url)?.information.length ?? 0
        let file = try ExportFile(path: path)
        defer { file.abandon() }
        var written = ByteRangeSet()
        let damaged = try readParts(in: ByteRange(offset: 0, length: length), of: url) {
            offset, bytes in
            if cancellation.isCancelled { throw TransportError.cancelled }
            try file.write(bytes, at: offset)
            written.insert(ByteRange(offset: offset, length: Int64(bytes.count)))
        }
        // Cached ranges without a chunk count as damaged, so that a fetch downloads them again.
        let hollow = written.gaps(in: ByteRange(offset: 0, length: length))
        guard hollow.isEmpty else {
            let dropped = ByteRangeSet(damaged + hollow).ranges
            // What cannot be dropped is damaged all the same, and says so at each export.
            if let refusal { throw refusal }
            try discard(damaged + hollow, of: url)
            throw CacheError.damaged(url: url, dropped: dropped)
        }
        try file.publish()
    }
}

/// A file under construction; it gets its final name when it is published.
private final class ExportFile {
    private let path: String
    private let temporaryPath: String
    private let descriptor: Int32
    private var isPublished = false

    init(path: String) throws(CacheError) {
        self.path = path
        temporaryPath = "\(path).\(getpid()).partial"
        descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw .cannotCreate(path: path, reason: String(cString: strerror(errno)))
        }
    }

    deinit { close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(CacheError) {
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

    func publish() throws(CacheError) {
        guard rename(temporaryPath, path) == 0 else {
            throw .cannotCreate(path: path, reason: String(cString: strerror(errno)))
        }
        isPublished = true
    }

    /// Removes the file, unless it was published.
    func abandon() {
        if !isPublished { unlink(temporaryPath) }
    }

    private func failure() -> CacheError {
        switch errno {
        case ENOSPC, EDQUOT: .diskFull(path: path)
        case EFBIG: .fileTooLarge(path: path)
        default: .inputOutput(path: path, reason: String(cString: strerror(errno)))
        }
    }
}
