/// The result of reading a range.
public struct ReadResult: Sendable, Hashable {
    /// The bytes that were served: from the range's start to the first byte that is not cached.
    public var served: ByteRange
    /// Chunks that failed their checksum, and therefore count as absent (C5).
    public var damaged: [ByteRange]
}

extension VideoCache {
    /// Serves a range from the cache, from its start to the first byte that is not cached (C4, C5).
    ///
    /// Needs the memory of one chunk, at most 1 MB. Only bytes with a correct checksum are passed
    /// on. A damaged or missing chunk ends the read; neither is an error.
    ///
    /// - Parameters:
    ///   - range: the bytes wanted.
    ///   - url: the video's address.
    ///   - body: receives a position in the video and the bytes from there on, in order.
    /// - Returns: what was served, and which chunks are damaged.
    /// - Throws: ``CacheError``, or what `body` threw.
    @discardableResult
    public func read(
        _ range: ByteRange, of url: String, body: (Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws -> ReadResult {
        try walk(range, of: url, pastGaps: false, body: body)
    }

    /// Serves every cached part of a range like ``read(_:of:body:)``, past gaps and damaged chunks, and
    /// returns the latter (C1, C5).
    @discardableResult
    public func readParts(
        in range: ByteRange, of url: String, body: (Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws -> [ByteRange] {
        try walk(range, of: url, pastGaps: true, body: body).damaged
    }

    /// Drops chunks that were found damaged, so that the next fetch repairs them (C5).
    ///
    /// Bytes that were stored again since then stay.
    public func discard(_ damaged: [ByteRange], of url: String) throws(CacheError) {
        guard let video = try store.video(url: url) else { return }
        for range in damaged { try store.dropDamaged(in: range, of: video) }
    }

    private func walk(
        _ range: ByteRange, of url: String, pastGaps: Bool,
        body: (Int64, UnsafeRawBufferPointer) throws -> Void
    ) throws -> ReadResult {
        var position = range.offset
        var damaged: [ByteRange] = []
        var ahead = ChunksAhead(until: range.end)
        let video = try store.video(url: url)
        while let video, position < range.end,
            let chunk = try store.chunk(of: video, from: position, ahead: &ahead),
            let part = chunk.range.intersection(ByteRange(from: position, to: range.end)),
            pastGaps || part.offset == position
        {
            if let bytes = chunk.bytes {
                let (start, end) = (part.offset - chunk.range.offset, part.end - chunk.range.offset)
                try bytes.withUnsafeBytes { all in
                    try body(
                        part.offset, UnsafeRawBufferPointer(rebasing: all[Int(start)..<Int(end)]))
                }
            } else {
                damaged.append(chunk.range)
                if !pastGaps { break }
            }
            position = part.end
        }
        return ReadResult(served: ByteRange(from: range.offset, to: position), damaged: damaged)
    }
}
