struct RequestContext: Sendable {
    let url: String
    let store: any ChunkStore
    let reserve: DiskReserve?
    let transport: any HTTPTransport
    let schedule: any SaveSchedule
    let observer: any CacheObserver
    let cancellation: Cancellation
    let clock: CacheClock
    var fields = HTTPFields()

    /// Performs a request, calls `finish`, however it ended, to save the remainder, and reports it.
    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, watcher: any RequestObserver,
        phases: PhaseTracker, finish: (_ endedWell: Bool) throws -> Void
    ) throws {
        var failure: (any Error)?
        var request = request
        request.fields = fields
        do {
            try transport.perform(request, handler: handler, cancellation: cancellation)
        } catch is EnoughCame {
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

    /// Requests bytes of a video, besides those that are only compared, and lets a target use them;
    /// `note` is told the response when it has ended, however that was.
    func fetch(
        _ wanted: HTTPRequest.Target, from start: Int64, going way: Continuation,
        for target: any ResponseTarget, phases: PhaseTracker, noting note: (VideoResponse) -> Void
    ) throws {
        let request = HTTPRequest(
            url: url, target: way.target(wanted), ifRange: way.ifRange, readSize: schedule.readSize)
        let watcher = observer.requestBegan(url: url, start: way.start(at: start))
        phases.enter(.connecting)
        let judge = ResponseJudge(
            request: request, start: start, known: way.known, kept: way.kept,
            toldLength: way.toldLength, isCompared: way.isCompared)
        let response = VideoResponse(
            judge: judge, context: self, target: target, watcher: watcher, phases: phases,
            overlap: way.overlap)
        defer { note(response) }
        try perform(request, handler: response, watcher: watcher, phases: phases) {
            try response.finish(endedWell: $0)
        }
    }

    /// Asks the origin about a video by a request for bytes 0-1, which are dropped (C3), with a
    /// condition if something is known; after a refusal for the whole, cancelled after its head (K2);
    /// throws `RepresentationChanged` if only a request for the whole may help.
    func ask(
        about known: ContentInformation?, after refusal: RepresentationChanged? = nil,
        phases: PhaseTracker, retryAfter: inout Duration?
    ) throws -> OriginWord {
        let request = HTTPRequest(
            url: url, target: refusal == nil ? .range(ByteRange(offset: 0, length: 2)) : .whole,
            ifNoneMatch: known?.etag, ifModifiedSince: known?.lastModified,
            readSize: schedule.readSize)
        let watcher = observer.requestBegan(url: url, start: 0)
        phases.enter(.connecting)
        let response = ProbeResponse(
            request: request, known: known, toldLength: refusal?.toldLength, watcher: watcher,
            phases: phases, clock: clock)
        defer { retryAfter = response.retryAfter }
        try perform(request, handler: response, watcher: watcher, phases: phases) { _ in }
        guard let word = response.word else { throw DownloadError.truncated(url: url, missing: 2) }
        return word
    }
}

struct OriginWord {
    var information: ContentInformation
    /// True if it is still the stored version; false if it is another one, or nothing shows that.
    var isSame: Bool

    /// True if the origin cannot be reached, or has failed itself (RFC 9111, 4.3.3).
    static func isMissing(after error: any Error) -> Bool {
        switch error {
        case TransportError.cancelled: false
        case is TransportError: true
        case DownloadError.status(_, let code): code >= 500
        case DownloadError.busy: true
        default: false
        }
    }
}
