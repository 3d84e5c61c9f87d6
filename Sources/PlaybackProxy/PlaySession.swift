internal import Synchronization
internal import VideoCache

/// One player's request, from its arrival to the last byte or the player's going.
///
/// Whoever lets go of it has gone: a running download that nobody else wants is cancelled then,
/// and its remainder saved (S3, F3).
final class PlaySession: Sendable {
    private let url: String
    private let loader: VideoLoader
    private let stop = PlayStop()
    private let connection: PlayerConnection
    // Readers block, and on two cores the tasks' own pool has but two threads.
    private let threads: BlockingThreads

    /// A session of a player that has just asked.
    init(
        url: String, loader: VideoLoader, threads: BlockingThreads, watch: PlayerWatch,
        playerPort: UInt16, serverPort: UInt16
    ) {
        self.url = url
        self.loader = loader
        self.threads = threads
        connection = PlayerConnection(
            watch: watch, playerPort: playerPort, serverPort: serverPort
        ) { [stop] in stop.press() }
    }

    deinit { end() }

    /// Ends the session: the player has gone, or has all it wanted.
    func end() {
        connection.end()
        stop.press()
    }

    /// What the origin says about the video, from the cache when known (C3).
    func information() async throws -> ContentInformation {
        let (url, loader, cancellation) = (url, loader, stop.cancellation)
        return try await blocking {
            try loader.information(of: url, cancellation: cancellation)
        }
    }

    /// Begins to read bytes, in place of those read before.
    ///
    /// - Parameter range: the bytes; nil for the whole video, wherever it ends.
    func read(_ range: ByteRange?) {
        stop.replace(with: loader.reader(of: url, range: range))
    }

    /// What the origin says about the version that is being read.
    func readInformation() async throws -> ContentInformation {
        guard let reader = stop.reader else { throw TransportError.cancelled }
        return try await blocking { try reader.information() }
    }

    /// The next bytes; nil at the end.
    func next(limit: Int) async throws -> [UInt8]? {
        guard let reader = stop.reader else { throw TransportError.cancelled }
        return try await blocking { try reader.next(limit: limit) }
    }

    /// Begins to read the next bytes, while those before are being sent.
    ///
    /// The task does not keep the session: who lets go of the session ends the task as well.
    func nextAhead(limit: Int) -> Task<[UInt8]?, any Error> {
        let (stop, threads) = (stop, threads)
        return Task {
            guard let reader = stop.reader else { throw TransportError.cancelled }
            return try await Self.blocking(on: threads, stop: stop) {
                try reader.next(limit: limit)
            }
        }
    }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Self.blocking(on: threads, stop: stop, work)
    }

    /// Runs blocking work on a thread of its own; a cancelled task is a player that has gone.
    private static func blocking<Value: Sendable>(
        on threads: BlockingThreads, stop: PlayStop,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                threads.run { continuation.resume(with: Result { try work() }) }
            }
        } onCancel: {
            stop.press()
        }
    }
}

/// A session's off switch: outlives neither the session nor what it stops.
private final class PlayStop: Sendable {
    private struct Guarded {
        var isPressed = false
        var reader: VideoReader?
    }

    let cancellation = Cancellation()
    private let guarded = Mutex(Guarded())

    var reader: VideoReader? { guarded.withLock { $0.reader } }

    /// Cancels what runs, and what would begin later.
    func press() {
        cancellation.cancel()
        guarded.withLock { guarded in
            guarded.isPressed = true
            return guarded.reader
        }?.cancel()
    }

    /// Takes another reader, and cancels the one before.
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
