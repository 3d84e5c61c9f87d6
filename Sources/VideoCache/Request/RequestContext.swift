/// What all requests for one video have in common.
struct RequestContext: Sendable {
    let url: String
    let store: any ChunkStore
    let transport: any HTTPTransport
    let schedule: any SaveSchedule
    let observer: any CacheObserver
    let cancellation: Cancellation

    /// Performs a request, lets `finish` save its remainder whatever ended it, and says it is over.
    ///
    /// - Parameters:
    ///   - request: what to ask for.
    ///   - handler: takes the response.
    ///   - watcher: watches the request.
    ///   - phases: where the download is.
    ///   - finish: is told whether the response came to an end that is no failure.
    /// - Throws: what ended the request, or what `finish` threw.
    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, watcher: any RequestObserver,
        phases: PhaseTracker, finish: (_ endedWell: Bool) throws -> Void
    ) throws {
        var failure: (any Error)?
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

    /// Asks for bytes 0-1, and says what the answer's head tells; the bytes are dropped (C3).
    ///
    /// - Parameters:
    ///   - phases: where the download is.
    ///   - retryAfter: how long a failing origin wants to be left alone.
    /// - Returns: the facts.
    /// - Throws: ``DownloadError`` or ``TransportError``.
    func probe(
        phases: PhaseTracker, retryAfter: inout Duration?
    ) throws -> ContentInformation {
        let request = HTTPRequest(
            url: url, target: .range(ByteRange(offset: 0, length: 2)),
            readSize: schedule.readSize)
        let watcher = observer.requestBegan(url: url, start: 0)
        phases.enter(.connecting)
        let response = ProbeResponse(url: url, watcher: watcher, phases: phases)
        defer { retryAfter = response.retryAfter }
        try perform(request, handler: response, watcher: watcher, phases: phases) { _ in }
        guard let information = response.information else {
            throw DownloadError.truncated(url: url, missing: 2)
        }
        return information
    }
}
