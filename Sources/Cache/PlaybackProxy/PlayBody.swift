internal import FlyingSocks
internal import VideoCache

/// The body of one response: bytes as they arrive, from the cache and from the network.
struct PlayBody: AsyncBufferedSequence {
    typealias Element = UInt8

    /// How many bytes of a body of unknown length are passed to the server at a time.
    static let bufferSize = 1 << 20

    let session: PlaySession
    /// How many bytes the head has promised; nil if it has promised none.
    let count: Int64?

    func makeAsyncIterator() -> PlayIterator { PlayIterator(body: self) }
}

/// Produces the bytes of a body.
///
/// If the length is known, the bytes are sent as they are, and the session writes them to the
/// player's socket itself, directly from the chunk. The server gets only what a full socket did not
/// accept, because it can wait for a slow player without a thread. For 1 GB from the cache, this
/// reduced the copies of every byte from four to two, one of them into the socket.
struct PlayIterator: AsyncBufferedIteratorProtocol {
    private let session: PlaySession
    private var left: Int64?

    init(body: PlayBody) {
        session = body.session
        left = body.count
    }

    mutating func next() async throws -> UInt8? {
        try await nextBuffer(suggested: 1)?.first
    }

    /// The next bytes for the server to send; nil at the body's end.
    ///
    /// - Throws: if the rest is unavailable. The connection is then cut, so that the player
    ///   notices; nil would be the regular end of a body that is too short.
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
        // A fast player must not keep the thread from all others.
        await Task.yield()
        try Task.checkCancellation()
        guard let promised = left else { return try await session.next(limit: limit) }
        guard promised > 0 else { return nil }
        let (sent, bytes) = try await session.send(promised, limit: limit)
        let rest = promised - sent - Int64(bytes?.count ?? 0)
        left = rest
        if bytes == nil, rest > 0 { throw BodyTooShort() }
        return bytes
    }
}

/// Ends a body that is shorter than its head has promised.
struct BodyTooShort: Error {}

/// The missing body of a response that may not state a length; it closes the connection right after
/// the head.
struct NoBody: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    func makeAsyncIterator() -> NoBody { self }

    mutating func next() async throws -> UInt8? { throw BodyTooShort() }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { throw BodyTooShort() }
}
