internal import FlyingSocks
internal import VideoCache

/// The body of one answer: the bytes as they come, from the cache and from the network.
struct PlayBody: AsyncBufferedSequence {
    typealias Element = UInt8

    /// How many bytes of a body without a promised length are handed to the server at a time.
    static let bufferSize = 1 << 20

    let session: PlaySession
    /// How many bytes the head has promised; nil when it has promised none.
    let count: Int64?

    func makeAsyncIterator() -> PlayIterator { PlayIterator(body: self) }
}

/// Hands the bytes out.
///
/// Where the length is known, the bytes are the body as they are, and the session puts them on the
/// player's socket itself, from where they lie. The server gets only what a full socket did not
/// take: it waits for a slow player without a thread. Of 1 GB from the cache every byte went
/// through four copies before, and goes through two now, one of them into the socket.
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

    /// The next bytes that the server has to send; nil at the body's end.
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
        guard let promised = left else { return try await session.next(limit: limit) }
        guard promised > 0 else { return nil }
        let (sent, bytes) = try await session.send(promised, limit: limit)
        let rest = promised - sent - Int64(bytes?.count ?? 0)
        left = rest
        if bytes == nil, rest > 0 { throw BodyTooShort() }
        return bytes
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
