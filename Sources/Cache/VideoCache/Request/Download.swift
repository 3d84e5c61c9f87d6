/// The result of a download.
public struct DownloadSummary: Sendable, Hashable {
    /// True if every byte of the video is in the cache.
    public var isComplete = false
    /// The parts that are not in the cache; empty while the length is unknown.
    public var missing: [ByteRange] = []
    /// True if the download was cancelled.
    public var isCancelled = false
    /// The video's size in bytes; nil if it is unknown.
    public var length: Int64?
    /// The number of bytes in the cache now.
    public var cachedBytes: Int64 = 0
    /// The number of bytes that this download has added.
    public var storedBytes: Int64 = 0
    /// The number of saves that this download has committed.
    public var commits = 0
    /// The number of requests that this download has sent, with that for the content information.
    public var requests = 0
    /// Why the origin could not be asked whether a complete video is still the same; nil if it was,
    /// or need not be.
    public var unconfirmed: String?
    // The delay that the origin of the last failed request asks for.
    var retryAfter: Duration?

    /// Why the video is not complete; nil if it is.
    package func shortfall(of url: String) -> CacheError? {
        guard !isComplete else { return nil }
        return length == nil ? .lengthUnknown(url: url) : .incomplete(url: url, missing: missing)
    }
}

/// Fetches the bytes of a video that are not cached, and saves them as they arrive (C8, S1, S2).
public struct Download: Sendable {
    let context: RequestContext
    let retry: RetryPolicy
    let revalidation: Revalidation

    /// Creates a download without starting it.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - cache: where its bytes are stored.
    ///   - transport: sends requests to the origin.
    ///   - schedule: decides when unsaved bytes are saved.
    ///   - observer: watches what happens.
    ///   - cancellation: stops it; received bytes are then saved (S3).
    ///   - retry: how often to continue after a failure that may be temporary; by default never.
    ///   - revalidation: when the origin is asked about a video that is complete.
    public init(
        url: String, cache: VideoCache, transport: any HTTPTransport,
        schedule: any SaveSchedule = SavePolicy.default,
        observer: any CacheObserver = SilentObserver(), cancellation: Cancellation = Cancellation(),
        retry: RetryPolicy = .none, revalidation: Revalidation = .stale
    ) {
        (self.retry, self.revalidation) = (retry, revalidation)
        context = RequestContext(
            url: url, store: cache.store, reserve: cache.reserve, transport: transport,
            schedule: schedule, observer: observer, cancellation: cancellation, clock: cache.clock)
    }

    /// Fetches until the video is complete, on the calling thread.
    ///
    /// However it ends, received bytes are saved (S2). If the origin's video is no longer the
    /// cached one, the download starts over, and its first commit replaces what is cached.
    ///
    /// - Returns: the result; a cancelled download is not an error.
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``.
    public func run() throws -> DownloadSummary {
        var run = DownloadRun(self)
        return try run.run()
    }
}
