internal import LoopbackHTTP
internal import Synchronization
internal import VideoCache

/// One player's request, from its arrival until the last byte, or until the player has gone.
///
/// Releasing the session cancels it: a running download that no other player wants is cancelled,
/// and its remainder saved (S3, F3).
final class PlaySession: Sendable {
    /// A chunk is lent whole, unless it is larger than any that the cache writes.
    private static let mostLent = 1 << 20
    /// The number of bytes kept for a player that does not read, besides the chunk they come from.
    private static let mostWaiting = 64 << 10
    /// A fast player makes room within this time; for a slower one no thread waits.
    private static let patienceMilliseconds: Int32 = 20

    private let url: String
    private let loader: VideoLoader
    private let stop = PlayStop()

    /// Creates a session for a request that has just arrived.
    init(url: String, loader: VideoLoader) {
        self.url = url
        self.loader = loader
    }

    deinit { stop.press() }

    /// What the origin says about the video, from the cache if known (C3).
    func information() async throws -> ContentInformation {
        let (url, loader, cancellation) = (url, loader, stop.cancellation)
        return try await blocking {
            try loader.information(of: url, cancellation: cancellation)
        }
    }

    /// Starts reading bytes, replacing an earlier read.
    ///
    /// - Parameter range: the bytes; nil for the whole video, of any length.
    func read(_ range: ByteRange?) {
        stop.replace(with: loader.reader(of: url, range: range))
    }

    /// The next bytes; nil at the end.
    func next(limit: Int) async throws -> [UInt8]? {
        guard let reader = stop.reader else { throw TransportError.cancelled }
        return try await blocking { try reader.next(limit: limit) }
    }

    /// Waits until bytes are available, or the end is reached.
    ///
    /// - Returns: the information about the version that is being read.
    /// - Throws: why no bytes are available.
    func begin() async throws -> ContentInformation {
        guard let reader = stop.reader else { throw TransportError.cancelled }
        return try await blocking {
            _ = try reader.lend(limit: 1) { _ in 0 }
            return try reader.information()
        }
    }

    /// Sends bytes to the player until all are sent, or its socket stays full.
    ///
    /// - Parameters:
    ///   - count: how many bytes the response still needs.
    ///   - connection: the player's connection.
    /// - Returns: how many were sent, and the next bytes, which the caller must send without a
    ///   thread that waits; nil if all were sent, or there are no more.
    /// - Throws: why the rest is unavailable, or that the player has gone.
    func send(
        _ count: Int64, on connection: ClientConnection
    ) async throws -> (sent: Int64, next: [UInt8]?) {
        guard let reader = stop.reader else { throw TransportError.cancelled }
        return try await blocking {
            var sent: Int64 = 0
            var isFull = false
            while sent < count, !isFull {
                let limit = Int(min(count - sent, Int64(Self.mostLent)))
                let taken = try reader.lend(limit: limit) { bytes in
                    let taken = try connection.put(bytes, patience: Self.patienceMilliseconds)
                    isFull = taken < bytes.count
                    return taken
                }
                guard let taken else { return (sent, nil) }
                sent += Int64(taken)
            }
            guard sent < count else { return (sent, nil) }
            let most = min(count - sent, Int64(Self.mostWaiting))
            return (sent, try reader.next(limit: Int(most)))
        }
    }

    /// Runs work on another thread, because readers block, and on two cores the tasks' own pool has
    /// only two threads.
    ///
    /// A cancelled task means that the player has gone.
    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let stop = stop
        return try await BlockingThreads.shared.value(onCancel: { stop.press() }, work)
    }
}

/// A session's cancellation, which also cancels its current reader.
private final class PlayStop: Sendable {
    private struct Guarded {
        var isPressed = false
        var reader: VideoReader?
    }

    let cancellation = Cancellation()
    private let guarded = Mutex(Guarded())

    var reader: VideoReader? { guarded.withLock { $0.reader } }

    /// Cancels the current work, and any work that starts later.
    func press() {
        cancellation.cancel()
        guarded.withLock { guarded in
            guarded.isPressed = true
            return guarded.reader
        }?.cancel()
    }

    /// Sets another reader, and cancels the previous one.
    func replace(with reader: VideoReader) {
        let (old, isPressed) = guarded.withLock { guarded in
            let old = guarded.reader
            guarded.reader = reader
            return (old, guarded.isPressed)
        }
        old?.cancel()
        if isPressed { reader.cancel() }
    }
}

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
