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
    private let context: RequestContext
    private let retry: RetryPolicy

    private var url: String { context.url }
    private var store: any ChunkStore { context.store }

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
    public init(
        url: String, cache: VideoCache, transport: any HTTPTransport,
        schedule: any SaveSchedule = SavePolicy.default,
        observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation(), retry: RetryPolicy = .none
    ) {
        context = RequestContext(
            url: url, store: cache.store, reserve: cache.reserve, transport: transport,
            schedule: schedule,
            observer: observer, cancellation: cancellation)
        self.retry = retry
    }

    /// Fetches until the video is complete, on the calling thread.
    ///
    /// However it ends, received bytes are saved (S2). If the origin's video is no longer the
    /// cached one, the download starts over, and its first commit replaces what is cached.
    ///
    /// - Returns: the result; a cancelled download is not an error.
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``.
    public func run() throws -> DownloadSummary {
        var summary = DownloadSummary()
        let phases = PhaseTracker(observer: context.observer, current: .recovering)
        do {
            try attempts(phases: phases, summary: &summary)
        } catch TransportError.cancelled {
            summary.isCancelled = true
        }
        summary.retryAfter = nil
        if let video = try store.video(url: url) {
            let ranges = try store.ranges(of: video)
            summary.length = video.information.length
            summary.cachedBytes = ranges.byteCount
            if let length = video.information.length {
                summary.missing = ranges.gaps(in: ByteRange(offset: 0, length: length))
                summary.isComplete = summary.missing.isEmpty
                // Throws if the database has lost rows: such a video must not be called complete.
                if summary.isComplete { _ = try store.chunkCount(of: video) }
            }
        }
        return summary
    }

    /// Continues after failures that may be temporary, from where the last attempt stopped.
    private func attempts(phases: PhaseTracker, summary: inout DownloadSummary) throws {
        var count = RetryCount(policy: retry)
        while true {
            let storedBefore = summary.storedBytes
            summary.retryAfter = nil
            do {
                return try attemptVersions(phases: phases, summary: &summary)
            } catch {
                if summary.storedBytes > storedBefore { count.noteProgress() }
                try count.pause(
                    after: error, retryAfter: summary.retryAfter,
                    cancellation: context.cancellation)
            }
        }
    }

    private func attemptVersions(phases: PhaseTracker, summary: inout DownloadSummary) throws {
        do {
            try attempt(phases: phases, summary: &summary)
        } catch is RepresentationChanged {
            // Cached bytes stay until the first bytes of another version replace them.
            do {
                try fetch(.whole, start: 0, end: nil, phases: phases, summary: &summary)
            } catch is RepresentationChanged {
                throw DownloadError.keepsChanging(url: url)
            }
        }
    }

    private func attempt(phases: PhaseTracker, summary: inout DownloadSummary) throws {
        if context.cancellation.isCancelled { throw TransportError.cancelled }
        let known = try store.video(url: url)
        let lost = try known.flatMap { try store.mend($0) } ?? []
        let video = try known ?? probe(phases: phases, summary: &summary)
        let cached = try store.ranges(of: video)
        context.observer.lookedUp(nil, of: url) {
            Result { () throws(CacheError) in
                Retrieval(
                    found: cached.ranges, chunks: try store.chunkCount(of: video), lost: lost)
            }
        }
        guard let length = video.information.length else {
            try fetch(.whole, start: 0, end: nil, phases: phases, summary: &summary)
            return
        }
        let gaps = cached.gaps(in: ByteRange(offset: 0, length: length))
        guard !gaps.isEmpty else { return }
        guard video.information.acceptsRanges else {
            try fetch(.whole, start: 0, end: nil, phases: phases, summary: &summary)
            return
        }
        for gap in gaps {
            try fetch(gap, length: length, phases: phases, summary: &summary)
        }
        // A reader may find and drop a damaged chunk while this download runs.
        let left = try store.ranges(of: video).gaps(in: ByteRange(offset: 0, length: length))
        for gap in left {
            try fetch(gap, length: length, phases: phases, summary: &summary)
        }
    }

    /// Fetches a gap, with several requests if the origin sends less than requested.
    private func fetch(
        _ gap: ByteRange, length: Int64, phases: PhaseTracker, summary: inout DownloadSummary
    ) throws {
        var position = gap.offset
        while position < gap.end {
            let rest = ByteRange(from: position, to: gap.end)
            let reached = try fetch(
                gap.end == length ? .from(position) : .range(rest), start: position,
                end: gap.end, phases: phases, summary: &summary)
            guard reached > position else {
                throw DownloadError.truncated(url: url, missing: rest.length)
            }
            position = reached
        }
    }

    /// Sends one request, saves its bytes, and returns the position that it reached.
    @discardableResult
    private func fetch(
        _ target: HTTPRequest.Target, start: Int64, end: Int64?, phases: PhaseTracker,
        summary: inout DownloadSummary
    ) throws -> Int64 {
        let known = try store.video(url: url)
        guard known != nil || target == .whole else { throw CacheError.replaced(url: url) }
        let request = HTTPRequest(
            url: url, target: target,
            ifRange: target == .whole ? nil : known?.information.validator,
            readSize: context.schedule.readSize)
        let watcher = context.observer.requestBegan(url: url, start: start)
        phases.enter(.connecting)
        let response = VideoResponse(
            judge: ResponseJudge(request: request, start: start, known: known?.information),
            context: context, target: DownloadTarget(known: known, end: end, context: context),
            watcher: watcher, phases: phases)
        defer {
            summary.requests += 1
            summary.storedBytes += response.saver?.storedBytes ?? 0
            summary.commits += response.saver?.commits ?? 0
            summary.retryAfter = response.retryAfter
        }
        try context.perform(request, handler: response, watcher: watcher, phases: phases) {
            try response.finish(endedWell: $0)
        }
        return response.position
    }

    private func probe(
        phases: PhaseTracker, summary: inout DownloadSummary
    ) throws -> CachedVideo {
        summary.requests += 1
        let information = try context.probe(phases: phases, retryAfter: &summary.retryAfter)
        return try store.store(information, url: url)
    }
}

/// Accepts a response for a download: all bytes up to the requested end, which must be saved.
private final class DownloadTarget: ResponseTarget {
    private let known: CachedVideo?
    private let end: Int64?
    private let context: RequestContext

    init(known: CachedVideo?, end: Int64?, context: RequestContext) {
        self.known = known
        self.end = end
        self.context = context
    }

    /// The cached version if the response certainly has the same bytes, or else a new one.
    func version(for facts: ContentInformation?) throws -> VideoVersion {
        guard let known else {
            let facts = facts ?? ContentInformation(length: nil, acceptsRanges: false)
            let video = try context.store.store(facts, url: context.url)
            return VideoVersion(stored: video, in: context.store)
        }
        let version = VideoVersion(stored: known, in: context.store)
        // Ranges were checked before; for a whole, only equal validators are proof.
        guard end == nil, let facts, !known.information.isProvenSame(as: facts) else {
            return version
        }
        return VideoVersion(facts, replacing: known, url: context.url, in: context.store)
    }

    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64) {}

    func saved(upTo position: Int64) {}

    func hadNoRoom() {}

    func saveFailed(_ error: CacheError) throws { throw error }

    func goOn(at position: Int64) throws {
        if let end, position >= end { throw EnoughCame() }
    }
}
