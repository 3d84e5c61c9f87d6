internal import Synchronization

/// A read of a range for which tasks wait, while its reader blocks a thread of
/// ``BlockingThreads``.
///
/// Releasing it cancels the read, and a download that no other reader wants: its remainder is saved
/// (S3, F3).
package final class VideoRead: Sendable {
    private struct State {
        var range: ByteRange?
        var reader: VideoReader?
        var isCancelled = false
    }

    private let loader: VideoLoader
    private let url: String
    private let asks: Bool
    private let fields: HTTPFields
    private let state: Mutex<State>

    init(
        loader: VideoLoader, url: String, range: ByteRange?, asks: Bool, fields: HTTPFields
    ) {
        self.asks = asks
        self.fields = fields
        self.loader = loader
        self.url = url
        state = Mutex(State(range: range))
    }

    /// What is known about the video, without waiting for the origin or for a running save; nil if
    /// nothing is.
    package func informationAtOnce() throws -> ContentInformation? {
        try valueAtOnce { $0.informationAtOnce() } ?? nil
    }

    /// Sets the range of a read that has not begun, other than by ``informationAtOnce()``.
    ///
    /// - Parameter range: the bytes to read, cut at the video's end; nil reads the whole video.
    package func narrow(to range: ByteRange?) {
        state.withLock { state in
            state.range = range
            return state.reader
        }?.narrow(to: range)
    }

    /// Does work that waits for bytes; cancelling the task cancels the read.
    ///
    /// - Parameter work: receives the reader; one task at a time may call this.
    /// - Throws: what the work throws; `CancellationError` if the task was cancelled.
    package func value<Value: Sendable>(
        _ work: @escaping @Sendable (VideoReader) throws -> Value
    ) async throws -> Value {
        try await BlockingThreads.shared.value(onCancel: { self.cancel() }) {
            try work(self.reader())
        }
    }

    /// Does work with bytes that are there, on the calling thread.
    ///
    /// - Parameter work: receives the reader, and may only use
    ///   ``VideoReader/lendAtOnce(limit:to:)`` of what waits; one task at a time may call this.
    /// - Returns: the work's result; nil if a thread has to wait, for bytes or for a running save.
    package func valueAtOnce<Value>(_ work: (VideoReader) throws -> Value) throws -> Value? {
        guard loader.isQuiet else { return nil }
        do {
            return try work(reader(isAtOnce: true))
        } catch is VideoReader.MustWait {
            return nil
        }
    }

    /// The reader, which is made for the first work because that needs the disk.
    private func reader(isAtOnce: Bool = false) -> VideoReader {
        let (range, made) = state.withLock { ($0.range, $0.reader) }
        if let made { return made }
        // Outside the lock: a cancel must not wait for the disk.
        let reader = loader.reader(
            of: url, range: range, fields: fields,
            seenWithin: isAtOnce ? .milliseconds(100) : .zero, asks: asks && !isAtOnce)
        let isCancelled = state.withLock { state in
            state.reader = reader
            return state.isCancelled
        }
        if isCancelled { reader.cancel() }
        return reader
    }

    private func cancel() {
        state.withLock { state in
            state.isCancelled = true
            return state.reader
        }?.cancel()
    }
}
