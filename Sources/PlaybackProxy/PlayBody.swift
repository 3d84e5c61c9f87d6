internal import FlyingSocks
internal import VideoCache

/// The body of one answer: the bytes as they come, from the cache and from the network.
struct PlayBody: AsyncBufferedSequence {
    typealias Element = UInt8

    /// How many bytes are handed to the socket at a time, at most.
    static let bufferSize = 1 << 20

    let session: PlaySession
    /// The bytes that came before the answer's head was sent; none of a video that is empty.
    let first: [UInt8]?
    /// How many bytes the head has promised; nil when it has promised none.
    let count: Int64?

    func makeAsyncIterator() -> PlayIterator { PlayIterator(body: self) }
}

/// Hands the bytes out.
struct PlayIterator: AsyncBufferedIteratorProtocol {
    private let session: PlaySession
    private var first: [UInt8]?
    private var left: Int64?
    // The store is read while the socket is written.
    private var ahead: Task<[UInt8]?, any Error>?

    init(body: PlayBody) {
        session = body.session
        first = body.first
        left = body.count
    }

    mutating func next() async throws -> UInt8? {
        try await nextBuffer(suggested: 1)?.first
    }

    /// The next bytes; nil at the body's end.
    ///
    /// - Throws: where the rest cannot be had, so that the connection is cut and the player knows:
    ///   a nil would be the clean end of a body that is too short.
    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
        do {
            let bytes = try await bytes(limit: max(1, count))
            if bytes == nil { session.end() }
            return bytes
        } catch {
            session.end()
            throw error
        }
    }

    private mutating func bytes(limit: Int) async throws -> [UInt8]? {
        // A player that reads as fast as we send must not keep the thread from all others.
        await Task.yield()
        try Task.checkCancellation()
        if left == 0 { return nil }
        let bytes = try await upcoming(limit: limit)
        if let left {
            guard let bytes else { throw BodyTooShort() }
            self.left = left - Int64(bytes.count)
        }
        if bytes != nil, left != 0 { ahead = session.nextAhead(limit: limit) }
        return bytes
    }

    private mutating func upcoming(limit: Int) async throws -> [UInt8]? {
        if let first {
            self.first = nil
            return first
        }
        guard let ahead else { return try await session.next(limit: limit) }
        self.ahead = nil
        return try await withTaskCancellationHandler {
            try await ahead.value
        } onCancel: {
            ahead.cancel()
        }
    }
}

/// Ends a body whose head has promised more.
struct BodyTooShort: Error {}

/// The body of an answer that has none and may not say how long it would be: it ends the
/// connection right after the head.
struct NoBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    func makeAsyncIterator() -> NoBody { self }

    mutating func next() async throws -> UInt8? { throw BodyTooShort() }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { throw BodyTooShort() }
}
