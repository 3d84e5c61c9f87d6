/// What the cache is doing.
public enum CachePhase: String, Sendable, Hashable, CaseIterable {
    /// It opens the database and reads its contents.
    case recovering
    /// It has sent a request; no byte of the body has arrived yet.
    case connecting
    /// Bytes of a body are arriving.
    case receiving
    /// A save is being committed.
    case committing
    /// The WAL is being copied into the database.
    case checkpointing
    /// Least recently used data is being dropped to make room (C6).
    case evicting
    /// A request was cancelled; its received bytes are being saved (S3).
    case cancelling
    /// A request has ended; its remainder is being saved (S2).
    case completing
    /// There is nothing to do.
    case idle
}

/// How a request ended (F5).
public enum RequestEnd: Sendable, Hashable {
    /// The whole body has arrived.
    case complete
    /// It was cancelled.
    case cancelled
    /// It failed, with the error's text.
    case failed(String)
}

/// Watches a cache at work; called on the thread that does the work.
///
/// If several requests run at once, the phases are those of the most recent event of any of them;
/// ``CachePhase/idle`` is reported when the last one has ended. A `url` is the address of a video, as
/// requested, and a `reader` the number of one.
public protocol CacheObserver: Sendable {
    /// Reports the phase that the cache has entered.
    func entered(_ phase: CachePhase)
    /// Reports that a request for the bytes from `start` on is about to be sent; returns its observer.
    func requestBegan(url: String, start: Int64) -> any RequestObserver
    /// Reports that cached bytes will be evicted; called before that is committed (C6).
    func willEvict(_ range: ByteRange, of url: String)
    /// Reports that the cache was asked for bytes, before the network is (F5).
    ///
    /// - Parameters:
    ///   - wanted: the bytes; nil for the whole video.
    ///   - url: the video's address.
    ///   - reader: the reader that wants them; nil for a fetch.
    ///   - retrieval: looks up what is cached of them; fails if chunks are missing in the index.
    func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ retrieval: () -> Result<Retrieval, CacheError>)
    /// Reports that a chunk, or a part of it, was read from the disk for a reader, with the right
    /// checksum (F5).
    func retrieved(_ chunk: ByteRange, of url: String, by reader: Int)
    /// Reports where what a fetch or a reader has to know about a video came from (C3, F5).
    func informed(about url: String, from source: InformationSource)
    /// Reports that a reader is gone, and what it was handed: its player has left, or has got all (F3,
    /// F5).
    func left(_ reading: Reading, of url: String)
    /// Reports that damage in the index, or in a chunk's bytes, was found, and dropped (C5).
    ///
    /// The ranges counted as cached until then; `url` is nil if the damage hides the video.
    func mended(_ url: String?, lost: [ByteRange])
}

extension CacheObserver {
    /// Does nothing.
    public func entered(_ phase: CachePhase) {}
    /// Watches no request.
    public func requestBegan(url: String, start: Int64) -> any RequestObserver { SilentObserver() }
    /// Does nothing.
    public func willEvict(_ range: ByteRange, of url: String) {}
    /// Does nothing.
    public func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ retrieval: () -> Result<Retrieval, CacheError>
    ) {}
    /// Does nothing.
    public func retrieved(_ chunk: ByteRange, of url: String, by reader: Int) {}
    /// Does nothing.
    public func informed(about url: String, from source: InformationSource) {}
    /// Does nothing.
    public func left(_ reading: Reading, of url: String) {}
    /// Does nothing.
    public func mended(_ url: String?, lost: [ByteRange]) {}
}

/// Watches one request, from its start to its end (F5).
public protocol RequestObserver {
    /// Reports that bytes have left the socket; nothing else has happened to them yet.
    func received(_ count: Int)
    /// Reports that the bytes of the range are about to be saved.
    func willCommit(_ range: ByteRange)
    /// Reports that a save's commit has returned (B5).
    ///
    /// Of its bytes, `stored` were new; 0 means that nothing was written (C2). The `acknowledged` bytes,
    /// counted from the request's start, are now safe.
    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64)
    /// Reports that a save failed; unsaved bytes are passed to readers, but not stored.
    func saveFailed(_ error: CacheError)
    /// Reports that nothing more arrives, before what is left is saved (S2, S3).
    ///
    /// That are `unsaved` bytes, maybe 0; nil if nothing of the request is saved any more.
    func willFinish(unsaved: Int64?, isCancelled: Bool)
    /// Reports that only the end of the connection told where the video ends, which counts as the
    /// end: a body that broke off there looks the same.
    func endedUnannounced(at position: Int64)
    /// Reports that the request is over and its remainder saved.
    func ended(_ end: RequestEnd)
}

extension RequestObserver {
    /// Does nothing.
    public func received(_ count: Int) {}
    /// Does nothing.
    public func willCommit(_ range: ByteRange) {}
    /// Does nothing.
    public func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {}
    /// Does nothing.
    public func saveFailed(_ error: CacheError) {}
    /// Does nothing.
    public func willFinish(unsaved: Int64?, isCancelled: Bool) {}
    /// Does nothing.
    public func endedUnannounced(at position: Int64) {}
    /// Does nothing.
    public func ended(_ end: RequestEnd) {}
}

/// An observer that ignores everything.
public struct SilentObserver: CacheObserver, RequestObserver {
    /// Creates an observer that does nothing.
    public init() {}
}
