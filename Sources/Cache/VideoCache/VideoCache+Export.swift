extension VideoCache {
    /// Writes a complete video to a file, only from chunks with a correct checksum (C5).
    ///
    /// The file appears whole or not at all: it is written under another name and then renamed.
    /// What is no plain file, such as a device or a FIFO, is written into; if a chunk is damaged,
    /// that has got what comes before it, and the export fails. A program that does not ignore SIGPIPE
    /// ends by it when the reader of a FIFO goes away.
    ///
    /// Damaged chunks are dropped from the cache, so that the next fetch downloads them again.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - path: the file; an existing one is replaced, and so is the target of a symbolic link.
    ///   - cancellation: ends the export, which then leaves no file.
    /// - Throws: ``CacheError`` that says what is missing or was dropped;
    ///   ``TransportError/cancelled``.
    public func export(
        _ url: String, to path: String, cancellation: Cancellation = Cancellation()
    ) throws {
        try export(url, to: .of(path), cancellation: cancellation)
    }

    package func export(
        _ url: String, to place: OutputPlace, cancellation: Cancellation = Cancellation()
    ) throws {
        if let video = try video(url), let lost = try store.disk.mend(video), !lost.isEmpty {
            throw CacheError.damaged(url: url, dropped: lost)
        }
        let missing = try missingRanges(of: url)
        guard missing.isEmpty else { throw CacheError.incomplete(url: url, missing: missing) }
        let length = try video(url)?.information.length ?? 0
        let file = try Self.target(at: place, cancellation)
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

    private static func target(
        at place: OutputPlace, _ cancellation: Cancellation
    ) throws -> any ExportTarget {
        switch place {
        case .file(let path): try ExportFile(path: path)
        case .stream(let path): try ExportStream(path: path, cancellation: cancellation)
        case .standardOutput: try ExportStream(path: nil, cancellation: cancellation)
        }
    }
}
