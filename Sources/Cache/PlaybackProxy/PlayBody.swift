internal import LoopbackHTTP
internal import VideoCache

/// The body of one response, from cache and network; releasing it cancels the read (S3, F3).
struct PlayBody: Sendable {
    /// A chunk is lent whole, unless it is larger than any that the cache writes.
    private static let mostLent = 1 << 20
    /// The number of bytes kept for a player that does not read, besides the chunk they come from.
    private static let mostWaiting = 64 << 10
    /// A fast player makes room within this time; for a slower one no thread waits.
    private static let patienceMilliseconds: Int32 = 20

    let reader: VideoReader
    /// How many bytes the head has promised; nil if it has promised none.
    let count: Int64?

    /// Waits for bytes, or for the end; returns the information about the version that is read.
    func begin() async throws -> ContentInformation {
        try await reader.value { try Self.begin($0, waiting: true) }
    }

    /// The same without waiting; nil if bytes have to be waited for.
    func beginAtOnce() throws -> ContentInformation? {
        try reader.withoutWaiting { try Self.begin($0, waiting: false) }
    }

    private static func begin(_ reader: VideoReader, waiting: Bool) throws -> ContentInformation {
        _ = try reader.lend(limit: 1, waiting: waiting) { _ in 0 }
        return try reader.information()
    }

    /// Sends bytes that are there and the player's socket takes without waiting; returns the rest.
    func sendAtOnce(on connection: ClientConnection) throws -> PlayBody? {
        guard let count else { return self }
        var sent: Int64 = 0
        do {
            _ = try reader.withoutWaiting { reader in
                try Self.put(&sent, of: count, from: reader, on: connection, waiting: false)
            }
        } catch let gone as ClientConnection.Gone {
            throw gone
        } catch {
            // It comes again when the rest is sent, and is reported then.
        }
        return sent < count ? PlayBody(reader: reader, count: count - sent) : nil
    }

    /// Sends the body: of known length directly from the cache's chunks, by a thread that waits for
    /// the disk or the network, but not for a slow player, for whom bytes are copied.
    func send(on connection: ClientConnection) async throws {
        guard var left = count else {
            while let bytes = try await nextChunk() { try await connection.writeChunk(bytes[...]) }
            return try await connection.writeChunk([])
        }
        while left > 0 {
            try await letOthersRun()
            let (sent, next) = try await send(left, on: connection)
            left -= sent + Int64(next?.count ?? 0)
            if let next {
                try await connection.write(next[...])
            } else if left > 0 {
                throw BodyTooShort()
            }
        }
    }

    /// Sends bytes until all are sent, or the player's socket stays full: then the next ones are
    /// returned as well, for the caller to send without a thread that waits.
    private func send(
        _ count: Int64, on connection: ClientConnection
    ) async throws -> (sent: Int64, next: [UInt8]?) {
        try await reader.value { reader in
            var sent: Int64 = 0
            try Self.put(&sent, of: count, from: reader, on: connection, waiting: true)
            guard sent < count else { return (sent, nil) }
            let most = min(count - sent, Int64(Self.mostWaiting))
            return (sent, try reader.next(limit: Int(most)))
        }
    }

    /// Lends bytes to the player's socket until all are sent, or it stays full, or without waiting
    /// for longer than a chunk.
    private static func put(
        _ sent: inout Int64, of count: Int64, from reader: VideoReader,
        on connection: ClientConnection, waiting: Bool
    ) throws {
        var isFull = false
        while sent < count, !isFull, waiting || sent < mostLent {
            let limit = Int(min(count - sent, Int64(mostLent)))
            let taken = try reader.lend(limit: limit, waiting: waiting) { bytes in
                let taken = try connection.put(bytes, patience: waiting ? patienceMilliseconds : 0)
                isFull = taken < bytes.count
                return taken
            }
            guard let taken else { return }
            sent += Int64(taken)
        }
    }

    private func nextChunk() async throws -> [UInt8]? {
        try await letOthersRun()
        return try await reader.value { try $0.next() }
    }

    /// A fast player must not keep the thread from all others.
    private func letOthersRun() async throws {
        await Task.yield()
        try Task.checkCancellation()
    }
}

/// Ends a body that is shorter than its head has promised, so that its connection is closed.
struct BodyTooShort: Error {}
