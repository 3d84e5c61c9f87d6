/// Where the cache is in its life.
public enum CachePhase: String, Sendable, Hashable, CaseIterable {
    /// Opens the database and reads what is there.
    case recovering
    /// A request was sent; no byte of its body has come yet.
    case connecting
    /// Bytes of a body come in.
    case receiving
    /// A save is being committed.
    case committing
    /// The write-ahead log is being copied into the database.
    case checkpointing
    /// Least recently used data is being dropped to make room (C6).
    case evicting
    /// A request was cancelled; what it brought is being saved (S3).
    case cancelling
    /// A request has ended; its remainder is being saved (S2).
    case completing
    /// There is nothing left to do.
    case idle
}

/// How a request ended (F5).
public enum RequestEnd: Sendable, Hashable {
    /// The whole body came.
    case complete
    /// It was cancelled.
    case cancelled
    /// It failed, with the error's text.
    case failed(String)
}

/// Watches what a cache does, as it does it; called on the thread that does it.
///
/// Where several requests run at once, the phases are those of the most recent event of any of
/// them; ``CachePhase/idle`` is reported when the last one has ended.
public protocol CacheObserver: Sendable {
    /// Says where the cache is now.
    func entered(_ phase: CachePhase)
    /// Says that a request is about to be sent, and names who watches it.
    ///
    /// - Parameters:
    ///   - url: the address as requested.
    ///   - start: the request's first byte position.
    /// - Returns: the request's own observer.
    func requestBegan(url: String, start: Int64) -> any RequestObserver
    /// Says that cached bytes are about to go, to make room; told before that is committed (C6).
    ///
    /// - Parameters:
    ///   - range: the bytes.
    ///   - url: the address of their video.
    func willEvict(_ range: ByteRange, of url: String)
    /// Says that damage was found in the index, and dropped (C5).
    ///
    /// - Parameters:
    ///   - url: the address of the video; nil where the damage hides it.
    ///   - lost: what counted as cached until then.
    func mended(_ url: String?, lost: [ByteRange])
}

extension CacheObserver {
    /// Does not want to know.
    public func willEvict(_ range: ByteRange, of url: String) {}
    /// Does not want to know.
    public func mended(_ url: String?, lost: [ByteRange]) {}
}

/// Watches one request, from sending to its end (F5).
public protocol RequestObserver {
    /// Counts bytes that left the socket before their turn came; nil where nobody wants to know.
    ///
    /// Called on any thread, by a transport that reads on while a save runs; the same bytes are
    /// told to `received` once their turn has come.
    var arrivalCounter: (@Sendable (Int) -> Void)? { get }
    /// Says that bytes have left the socket; nothing else was done with them yet.
    func received(_ count: Int)
    /// Says that the bytes of the range are about to be saved.
    func willCommit(_ range: ByteRange)
    /// Says that a save's commit has returned (B5).
    ///
    /// - Parameters:
    ///   - range: the bytes that were to be saved.
    ///   - stored: how many of them were new; 0 means that nothing was written (C2).
    ///   - acknowledged: how many bytes, counted from the request's start, are safe now.
    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64)
    /// Says that a save failed; what is unsaved is handed to readers, but not kept.
    func saveFailed(_ error: CacheError)
    /// Says that the request is over and its remainder saved.
    func ended(_ end: RequestEnd)
}

extension RequestObserver {
    /// Does not want to know.
    public var arrivalCounter: (@Sendable (Int) -> Void)? { nil }

    /// Does nothing.
    public func saveFailed(_ error: CacheError) {}
}

/// An observer that looks away.
public struct SilentObserver: CacheObserver, RequestObserver {
    /// An observer that does nothing.
    public init() {}
    /// Does nothing.
    public func entered(_ phase: CachePhase) {}
    /// Watches the request by doing nothing.
    public func requestBegan(url: String, start: Int64) -> any RequestObserver { self }
    /// Does nothing.
    public func received(_ count: Int) {}
    /// Does nothing.
    public func willCommit(_ range: ByteRange) {}
    /// Does nothing.
    public func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {}
    /// Does nothing.
    public func ended(_ end: RequestEnd) {}
}
