internal import LoopbackHTTP
internal import VideoCache

/// The body of one response: bytes as they arrive, from the cache and from the network.
struct PlayBody: Sendable {
    /// How many bytes of a body of unknown length are sent at a time.
    private static let chunkSize = 1 << 20

    let session: PlaySession
    /// How many bytes the head has promised; nil if it has promised none.
    let count: Int64?

    /// Sends the body.
    ///
    /// If the length is known, the bytes are sent as they are, directly from the cache's chunks, by
    /// a thread that waits for the disk or the network. Only what a full socket did not accept is
    /// copied, because no thread may wait for a slow player.
    ///
    /// - Throws: why the rest is unavailable, or an error of the connection.
    func send(on connection: ClientConnection) async throws {
        guard var left = count else {
            while let bytes = try await nextChunk() { try await connection.writeChunk(bytes[...]) }
            return try await connection.writeChunk([])
        }
        while left > 0 {
            try await letOthersRun()
            let (sent, next) = try await session.send(left, on: connection)
            left -= sent + Int64(next?.count ?? 0)
            if let next {
                try await connection.write(next[...])
            } else if left > 0 {
                throw BodyTooShort()
            }
        }
    }

    private func nextChunk() async throws -> [UInt8]? {
        try await letOthersRun()
        return try await session.next(limit: Self.chunkSize)
    }

    /// A fast player must not keep the thread from all others.
    private func letOthersRun() async throws {
        await Task.yield()
        try Task.checkCancellation()
    }
}

/// Ends a body that is shorter than its head has promised, so that its connection is closed.
struct BodyTooShort: Error {}
