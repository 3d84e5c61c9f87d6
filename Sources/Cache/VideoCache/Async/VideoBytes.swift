public import Foundation
internal import Synchronization

extension VideoLoader {
    /// The bytes of a video, from the cache, and from the network as they arrive (C3–C5).
    ///
    /// Reading begins with the loop. Cancelling the task ends the loop with a `CancellationError`;
    /// that, or leaving the loop, cancels a download that no other reader wants, and its remainder
    /// is saved (S3).
    ///
    /// - Parameters:
    ///   - url: the video's address, http or https.
    ///   - range: the bytes to read, cut at the video's end; nil reads the whole video, even one of
    ///     unknown length.
    /// - Returns: the bytes in order, in pieces of any size. Its loop throws what
    ///   ``VideoReader/next(limit:)`` throws.
    public func bytes(of url: URL, in range: ByteRange? = nil) -> VideoBytes {
        VideoBytes(loader: self, url: url.absoluteString, range: range)
    }

    /// What the origin says about a video: from the cache, or else by one request for bytes 0–1
    /// (C3).
    ///
    /// - Parameter url: the video's address, http or https.
    /// - Returns: the information; its length is nil while it is unknown.
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``; `CancellationError` if the
    ///   task is cancelled.
    public func information(of url: URL) async throws -> ContentInformation {
        let cancellation = Cancellation()
        return try await BlockingThreads.shared.value(onCancel: { cancellation.cancel() }) {
            try self.information(of: url.absoluteString, cancellation: cancellation)
        }
    }
}

/// The bytes of a range of a video; see ``VideoLoader/bytes(of:in:)``.
public struct VideoBytes: AsyncSequence, Sendable {
    fileprivate let loader: VideoLoader
    fileprivate let url: String
    fileprivate let range: ByteRange?

    /// Begins at the range's start; each loop reads it anew.
    public func makeAsyncIterator() -> Iterator {
        Iterator(source: Source(loader: loader, url: url, range: range))
    }

    /// Waits for the next bytes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let source: Source

        /// The next bytes, at least one; nil at the end of the range.
        public mutating func next() async throws -> [UInt8]? {
            let source = source
            return try await BlockingThreads.shared.value(onCancel: { source.cancel() }) {
                try source.reader().next()
            }
        }
    }

    /// The reader, which is made on the first read because that needs the disk.
    fileprivate final class Source: Sendable {
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

        /// The reader; only one task at a time asks for it.
        func reader() throws -> VideoReader {
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

        func cancel() {
            state.withLock { state in
                state.isCancelled = true
                return state.reader
            }?.cancel()
        }
    }
}
