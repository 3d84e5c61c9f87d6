public import Foundation

extension VideoLoader {
    /// The bytes of a video, from the cache, and from the network as they arrive (C3–C5).
    ///
    /// Reading begins with the loop. Cancelling the task ends the loop with a `CancellationError`;
    /// that, or leaving the loop, cancels a download that no other reader wants, and its remainder
    /// is saved (S3).
    ///
    /// The bytes come in order, in pieces of any size; what to read is said as to
    /// ``reader(of:range:fields:)``. The loop throws what ``VideoReader/next(limit:)`` throws.
    public func bytes(
        of url: URL, in range: ByteRange? = nil, fields: HTTPFields = HTTPFields()
    ) -> VideoBytes {
        VideoBytes { self.read(of: url.absoluteString, in: range, fields: fields) }
    }

    /// What the origin says about a video: from the cache, or else by one request for bytes 0-1 (C3).
    ///
    /// What is in the cache and no longer fresh is asked about first, by one request for all who
    /// wait (RFC 9111). The length is nil while it is unknown.
    ///
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``; `CancellationError`, if
    ///   the task is cancelled.
    public func information(
        of url: URL, fields: HTTPFields = HTTPFields()
    ) async throws -> ContentInformation {
        try await known(ofVideo: url.absoluteString, for: .none, fields: fields).information
    }

    /// The same for an address as text, and a player that may want it fresher.
    package func known(
        ofVideo url: String, for wish: FreshnessWish, fields: HTTPFields
    ) async throws -> KnownVideo {
        let cancellation = Cancellation()
        return try await BlockingThreads.shared.value(onCancel: { cancellation.cancel() }) {
            try self.known(of: url, for: wish, fields: fields, cancellation: cancellation)
        }
    }
}

/// The bytes of a range of a video; see ``VideoLoader/bytes(of:in:fields:)``.
public struct VideoBytes: AsyncSequence, Sendable {
    fileprivate let read: @Sendable () -> VideoReader

    /// Begins at the range's start; each loop reads it anew.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: read()) }

    /// Waits for the next bytes.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: VideoReader

        /// The next bytes, at least one; nil at the end of the range.
        public mutating func next() async throws -> [UInt8]? {
            try await reader.value { try $0.next() }
        }
    }
}
