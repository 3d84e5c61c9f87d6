internal import Synchronization

/// A read of a range for which tasks wait, while its reader blocks a thread of
/// ``BlockingThreads``.
///
/// Releasing it cancels the read, and a download that no other reader wants: its remainder is saved
/// (S3, F3).
package final class VideoRead: Sendable {
    private struct State {
        var reader: VideoReader?
        var isCancelled = false
    }

    private let loader: VideoLoader
    private let url: String
    private let range: ByteRange?
    private let state = Mutex(State())

    init(loader: VideoLoader, url: String, range: ByteRange?) {
        self.loader = loader
        self.url = url
        self.range = range
    }

    /// Does work that waits for bytes; cancelling the task cancels the read.
    ///
    /// - Parameter work: receives the reader; one task at a time may call this.
    /// - Returns: the work's result.
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
    /// - Parameter work: receives the reader, and may only use ``VideoReader/lendAtOnce(limit:to:)``
    ///   of what waits; one task at a time may call this.
    /// - Returns: the work's result; nil if a thread has to wait, for bytes or for a running save.
    /// - Throws: what the work throws.
    package func valueAtOnce<Value>(_ work: (VideoReader) throws -> Value) throws -> Value? {
        guard loader.isQuiet else { return nil }
        do {
            return try work(reader())
        } catch is VideoReader.MustWait {
            return nil
        }
    }

    /// The reader, which is made for the first work because that needs the disk.
    private func reader() -> VideoReader {
        if let reader = state.withLock({ $0.reader }) { return reader }
        // Outside the lock: a cancel must not wait for the disk.
        let reader = loader.reader(of: url, range: range)
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
