/// What a download did.
public struct DownloadSummary: Sendable, Hashable {
    /// True when every byte of the video is in the cache.
    public var isComplete = false
    /// The parts that are not in the cache; none as long as the length is not known.
    public var missing: [ByteRange] = []
    /// True when the download was cancelled.
    public var isCancelled = false
    /// The video's size in bytes; nil when it is not known.
    public var length: Int64?
    /// Bytes in the cache, now.
    public var cachedBytes: Int64 = 0
    /// Bytes that this download has added.
    public var storedBytes: Int64 = 0
    /// Saves that this download has committed.
    public var commits = 0
    /// Requests that this download has sent, with the one for the content information.
    public var requests = 0
}

/// Fetches what the cache misses of a video, and saves it as it comes (C8, S1, S2).
public struct Download: Sendable {
    /// Which parts of a video of a given length must be fetched, given what is cached.
    public typealias MissingRule =
        @Sendable (_ cached: ByteRangeSet, _ video: ByteRange) ->
        [ByteRange]

    /// The rule of every honest download: what is not cached (C8).
    public static let gaps: MissingRule = { cached, video in cached.gaps(in: video) }

    let url: String
    let store: any ChunkStore
    let transport: any HTTPTransport
    let schedule: any SaveSchedule
    let observer: any CacheObserver
    let cancellation: Cancellation
    let missing: MissingRule

    /// A download that has not begun.
    ///
    /// - Parameters:
    ///   - url: the video's address.
    ///   - cache: where its bytes are kept.
    ///   - transport: how the origin is asked.
    ///   - schedule: when unsaved bytes are saved.
    ///   - observer: watches what happens.
    ///   - cancellation: stops it; what has come is saved then (S3).
    ///   - missing: which parts to fetch; by default those that are not cached.
    public init(
        url: String, cache: VideoCache, transport: any HTTPTransport,
        schedule: any SaveSchedule = SavePolicy.default,
        observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation(),
        missing: @escaping MissingRule = Self.gaps
    ) {
        self.url = url
        self.store = cache.store
        self.transport = transport
        self.schedule = schedule
        self.observer = observer
        self.cancellation = cancellation
        self.missing = missing
    }

    /// Fetches until the video is complete, on the calling thread.
    ///
    /// Whatever ends it, the bytes that have come are saved (S2). When the origin's video is no
    /// longer the cached one, the download starts over, and its first commit replaces what is
    /// cached.
    ///
    /// - Returns: what was done; a cancelled download is no error.
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``.
    public func run() throws -> DownloadSummary {
        var summary = DownloadSummary()
        let phases = PhaseTracker(observer: observer, current: .recovering)
        do {
            try attempts(phases: phases, summary: &summary)
        } catch TransportError.cancelled {
            summary.isCancelled = true
        }
        if let video = try store.video(url: url) {
            let ranges = try store.ranges(of: video)
            summary.length = video.information.length
            summary.cachedBytes = ranges.byteCount
            if let length = video.information.length {
                summary.missing = ranges.gaps(in: ByteRange(offset: 0, length: length))
                summary.isComplete = summary.missing.isEmpty
                // Throws where the database has lost rows: never call that complete.
                if summary.isComplete { _ = try store.chunkCount(of: video) }
            }
        }
        return summary
    }

    private func attempts(phases: PhaseTracker, summary: inout DownloadSummary) throws {
        do {
            try attempt(phases: phases, summary: &summary)
        } catch is RepresentationChanged {
            // What is cached stays until the first bytes of another version replace it.
            do {
                try fetch(.whole, start: 0, length: nil, phases: phases, summary: &summary)
            } catch is RepresentationChanged {
                throw DownloadError.keepsChanging(url: url)
            }
        }
    }

    private func attempt(phases: PhaseTracker, summary: inout DownloadSummary) throws {
        if cancellation.isCancelled { throw TransportError.cancelled }
        let video = try store.video(url: url) ?? probe(phases: phases, summary: &summary)
        let cached = try store.ranges(of: video)
        guard let length = video.information.length else {
            try fetch(.whole, start: 0, length: nil, phases: phases, summary: &summary)
            return
        }
        let gaps = missing(cached, ByteRange(offset: 0, length: length))
        guard !gaps.isEmpty else { return }
        guard video.information.acceptsRanges else {
            try fetch(.whole, start: 0, length: nil, phases: phases, summary: &summary)
            return
        }
        for gap in gaps {
            try fetch(gap, length: length, phases: phases, summary: &summary)
        }
        // A reader that finds a damaged chunk drops it, also while this download runs.
        let left = try store.ranges(of: video).gaps(in: ByteRange(offset: 0, length: length))
        for gap in left {
            try fetch(gap, length: length, phases: phases, summary: &summary)
        }
    }

    /// Fetches a gap, in several requests where the origin sends less than asked for.
    private func fetch(
        _ gap: ByteRange, length: Int64, phases: PhaseTracker, summary: inout DownloadSummary
    ) throws {
        var position = gap.offset
        while position < gap.end {
            let rest = ByteRange(from: position, to: gap.end)
            let reached = try fetch(
                gap.end == length ? .from(position) : .range(rest), start: position,
                length: gap.end - position, phases: phases, summary: &summary)
            guard reached > position else {
                throw DownloadError.truncated(url: url, missing: rest.length)
            }
            position = reached
        }
    }

    /// Sends one request, saves what it brings, and says which position it reached.
    @discardableResult
    private func fetch(
        _ target: HTTPRequest.Target, start: Int64, length: Int64?, phases: PhaseTracker,
        summary: inout DownloadSummary
    ) throws -> Int64 {
        let known = try store.video(url: url)
        guard known != nil || target == .whole else { throw CacheError.replaced(url: url) }
        let request = HTTPRequest(
            url: url, target: target,
            ifRange: target == .whole ? nil : known?.information.strongETag,
            readSize: schedule.readSize)
        let watcher = observer.requestBegan(url: url, start: start)
        phases.enter(.connecting)
        let response = VideoResponse(
            request: request, start: start, asked: length, known: known, download: self,
            watcher: watcher, phases: phases)
        defer {
            summary.requests += 1
            summary.storedBytes += response.saver?.storedBytes ?? 0
            summary.commits += response.saver?.commits ?? 0
        }
        try perform(request, handler: response, watcher: watcher, phases: phases) {
            try response.finish(endedWell: $0)
        }
        return response.saver?.position ?? start
    }

    /// Asks for bytes 0-1, stores what the answer's head tells, and drops the bytes (C3).
    private func probe(
        phases: PhaseTracker, summary: inout DownloadSummary
    ) throws -> CachedVideo {
        let request = HTTPRequest(
            url: url, target: .range(ByteRange(offset: 0, length: 2)),
            readSize: schedule.readSize)
        let watcher = observer.requestBegan(url: url, start: 0)
        phases.enter(.connecting)
        let response = ProbeResponse(url: url, watcher: watcher, phases: phases)
        summary.requests += 1
        try perform(request, handler: response, watcher: watcher, phases: phases) { _ in }
        guard let information = response.information else {
            throw DownloadError.truncated(url: url, missing: 2)
        }
        return try store.store(information, url: url)
    }

    /// Performs a request, lets `finish` save its remainder whatever ended it, and says it is over.
    private func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, watcher: any RequestObserver,
        phases: PhaseTracker, finish: (_ endedWell: Bool) throws -> Void
    ) throws {
        var failure: (any Error)?
        do {
            try transport.perform(request, handler: handler, cancellation: cancellation)
        } catch is HeadWasEnough {
        } catch {
            failure = error
        }
        let wasCancelled = failure as? TransportError == .cancelled
        phases.enter(wasCancelled ? .cancelling : .completing)
        do {
            try finish(failure == nil)
        } catch {
            failure = failure.map { $0 is CacheError ? $0 : error } ?? error
        }
        watcher.ended(wasCancelled ? .cancelled : failure.map { .failed("\($0)") } ?? .complete)
        if let failure { throw failure }
    }
}
