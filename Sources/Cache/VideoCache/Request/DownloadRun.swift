/// One run of a ``Download``: its attempts, and what it has learnt of the origin meanwhile.
struct DownloadRun {
    private let download: Download
    private let phases: PhaseTracker
    private var summary = DownloadSummary()
    // True once everything but a request for the whole was refused (K2).
    private var asksForWholes = false
    // True once the origin has answered `If-Range` with the whole of the same version (K2).
    private var ignoresConditions = false
    // What was found out about the validators of the cached version.
    private var doubt = Doubt()

    private var context: RequestContext { download.context }
    private var url: String { context.url }
    private var store: any ChunkStore { context.store }

    init(_ download: Download) {
        self.download = download
        phases = PhaseTracker(observer: download.context.observer, current: .recovering)
    }

    mutating func run() throws -> DownloadSummary {
        do {
            try attempts()
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
                if summary.isComplete { _ = try store.disk.chunkCount(of: video) }
            }
        }
        return summary
    }

    /// Continues after failures that may be temporary, from where the last attempt stopped.
    private mutating func attempts() throws {
        var count = RetryCount(policy: download.retry)
        var growth = CacheGrowth()
        growth.note(try store.video(url: url), in: store)
        while true {
            summary.retryAfter = nil
            do {
                return try attemptVersions()
            } catch {
                // What came again, or replaced as much as it brought, is no progress (K7).
                if growth.note(try? store.video(url: url), in: store) { count.noteProgress() }
                if !asksForWholes, count.isLastResort(after: error, retryAfter: summary.retryAfter)
                {
                    asksForWholes = true
                    continue
                }
                try count.pause(
                    after: error, retryAfter: summary.retryAfter,
                    cancellation: context.cancellation)
            }
        }
    }

    private mutating func attemptVersions() throws {
        do {
            try attempt()
        } catch let change as RepresentationChanged where change.isConditionIgnored {
            // Asked without the condition, the answer's own validator has to be the cached one.
            ignoresConditions = true
            try attemptVersions()
        } catch let change as RepresentationChanged {
            if let known = try store.video(url: url)?.information,
                doubt.open(about: known, change)
            {
                return try attemptVersions()
            }
            // Cached bytes stay until the first bytes of another version replace them.
            try fetchWhole(toldLength: change.toldLength)
        }
    }

    private mutating func attempt() throws {
        if context.cancellation.isCancelled { throw TransportError.cancelled }
        let known = try store.video(url: url)
        let lost = try known.flatMap { try store.disk.mend($0) } ?? []
        if known == nil, asksForWholes { return try fetchWhole() }
        let video = try known ?? probe()
        context.observer.informed(about: url, from: known == nil ? .network : .cache)
        let cached = try store.ranges(of: video)
        context.observer.lookedUp(nil, of: url, by: nil) { [store] in
            // What was lost is out of the index by now, but was looked for.
            Result { () throws(CacheError) in
                try Retrieval(of: video, in: store, claimed: cached.ranges, lost: lost)
            }
        }
        // An empty video may have been a failure of the moment, so it is asked for again (K1).
        guard let length = video.information.length, length > 0 else { return try fetchWhole() }
        let gaps = cached.gaps(in: ByteRange(offset: 0, length: length))
        guard !gaps.isEmpty else {
            if let known { try confirm(known) }
            return
        }
        guard video.information.acceptsRanges, !asksForWholes else { return try fetchWhole() }
        for gap in gaps { try fetch(gap, length: length) }
        // A reader may find and drop a damaged chunk while this download runs.
        let left = try store.ranges(of: video).gaps(in: ByteRange(offset: 0, length: length))
        for gap in left { try fetch(gap, length: length) }
    }

    /// Asks the origin about a complete video that is no longer fresh (RFC 9111, 4.3); where it
    /// cannot be reached, the video stays complete, unless that is forbidden.
    private mutating func confirm(_ video: CachedVideo) throws {
        let standing = video.information.freshness?.standing(at: context.clock.now) ?? .fresh
        guard download.revalidation == .always || standing != .fresh else { return }
        do {
            let word = try ask(about: video.information)
            guard word.isSame else { throw RepresentationChanged() }
            VideoVersion(stored: video, in: store)
                .renew(word.information.freshness, at: context.clock.now, isAnswer: true)
        } catch  where OriginWord.isMissing(after: error) {
            guard standing != .useless else {
                throw DownloadError.unconfirmed(url: url, reason: "\(error)")
            }
            summary.unconfirmed = "\(error)"
        }
    }

    /// Asks in the other form, too, if the origin refuses the first (K2).
    private mutating func ask(about known: ContentInformation) throws -> OriginWord {
        do {
            return try ask(about: known, after: asksForWholes ? RepresentationChanged() : nil)
        } catch let refusal as RepresentationChanged {
            return try ask(about: known, after: refusal)
        }
    }

    private mutating func ask(
        about known: ContentInformation?, after refusal: RepresentationChanged?
    ) throws -> OriginWord {
        summary.requests += 1
        return try context.ask(
            about: known, after: refusal, phases: phases, retryAfter: &summary.retryAfter)
    }

    /// Fetches a gap, with several requests if the origin sends less than requested.
    private mutating func fetch(_ gap: ByteRange, length: Int64) throws {
        var position = gap.offset
        while position < gap.end {
            let rest = ByteRange(from: position, to: gap.end)
            guard let known = try store.video(url: url) else { throw CacheError.replaced(url: url) }
            let version = VideoVersion(
                stored: known, in: store, isEmpty: try store.cachedRange(of: known, from: 0) == nil)
            if ignoresConditions { version.noteConditionsIgnored() }
            let way = try goOn(with: version, at: position)
            let reached = try perform(
                gap.end == length ? .from(position) : .range(rest), from: position, going: way,
                for: DownloadTarget(
                    known: known, version: version, isFirst: way.isFirst, end: gap.end,
                    context: context))
            doubt.settle()
            guard reached > position else {
                throw DownloadError.truncated(url: url, missing: rest.length)
            }
            position = reached
        }
    }

    /// Decides how a request goes on with what is cached.
    private mutating func goOn(
        with version: VideoVersion, at position: Int64
    ) throws -> Continuation {
        version.doubt = doubt
        var looks = 0
        defer {
            summary.requests += looks
            doubt = version.doubt
        }
        let proof = OverlapProof(context: context, phases: phases, version: version) { looks += 1 }
        return try proof.continuation(at: position)
    }

    /// Requests the whole; of the cached version only up to the end of what is missing.
    private mutating func fetchWhole(toldLength: Int64? = nil) throws {
        let known = try store.video(url: url)
        let cached = try known.map { try store.ranges(of: $0) }
        let length = known?.information.length.map { ByteRange(offset: 0, length: $0) }
        let missing = length.flatMap { cached?.gaps(in: $0).last }
        var way = Continuation(known: known?.information, toldLength: toldLength)
        if let known, let end = cached?.ranges.last?.end {
            way.kept = Belief.Kept(information: known.information, end: end)
        }
        try perform(
            .whole, from: 0, going: way,
            for: DownloadTarget(known: known, end: missing?.end, context: context))
    }

    /// Sends one request, saves its bytes, and returns the position that it reached.
    @discardableResult
    private mutating func perform(
        _ wanted: HTTPRequest.Target, from start: Int64, going way: Continuation,
        for target: DownloadTarget
    ) throws -> Int64 {
        var reached = start
        try context.fetch(wanted, from: start, going: way, for: target, phases: phases) {
            summary.requests += 1
            summary.storedBytes += $0.saver?.storedBytes ?? 0
            summary.commits += $0.saver?.commits ?? 0
            summary.retryAfter = $0.retryAfter
            reached = $0.position
        }
        return reached
    }

    private mutating func probe() throws -> CachedVideo {
        let information = try ask(about: nil, after: nil).information
        if information.isForbidden { throw DownloadError.notStorable(url: url) }
        return try store.store(information, url: url)
    }
}

/// How much is cached of a video, to tell attempts that add to it from those that do not (K7).
private struct CacheGrowth {
    private var version: Int64?
    private var most: Int64 = 0

    /// Notes what is cached now; true if that is more of the same version than ever before.
    @discardableResult
    mutating func note(_ video: CachedVideo?, in store: any ChunkStore) -> Bool {
        let now = video.flatMap { try? store.ranges(of: $0) }?.byteCount ?? 0
        let isSame = video?.id == version || most == 0
        let isMore = now > most
        (version, most) = (video?.id, isSame ? max(most, now) : now)
        return isSame && isMore
    }
}

/// Accepts a response for a download: all bytes up to the requested end, which must be saved.
private final class DownloadTarget: ResponseTarget {
    private let known: CachedVideo?
    private let version: VideoVersion?
    private let isFirst: Bool
    private let end: Int64?
    private let context: RequestContext
    private var isKnown = false

    // The request goes on with `version` of what is known; `isFirst` if nothing of it has come yet.
    // What is missing of it ends at `end`, if that is known.
    init(
        known: CachedVideo?, version: VideoVersion? = nil, isFirst: Bool = false, end: Int64?,
        context: RequestContext
    ) {
        (self.known, self.version, self.isFirst, self.end) = (known, version, isFirst, end)
        self.context = context
    }

    func version(for facts: ContentInformation?, isKnown: Bool) throws -> VideoVersion {
        self.isKnown = isKnown
        guard let known else {
            let facts = facts ?? ContentInformation(length: nil, acceptsRanges: false)
            let video = try context.store.store(facts, url: context.url)
            return VideoVersion(stored: video, in: context.store)
        }
        guard let facts, !isKnown else {
            let version = version ?? VideoVersion(stored: known, in: context.store)
            if isFirst, let facts { _ = try version.begin(with: facts, request: 0) }
            return version
        }
        return VideoVersion(facts, replacing: known, url: context.url, in: context.store)
    }

    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64) {}
    func saved(upTo position: Int64) {}
    func hadNoRoom() {}
    func cannotSave(_ error: any Error) throws { throw error }

    func goOn(at position: Int64) throws {
        if isKnown, let end, position >= end { throw EnoughCame() }
    }
}
