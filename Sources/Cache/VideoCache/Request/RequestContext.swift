/// The values that all requests for one video share.
struct RequestContext: Sendable {
    let url: String
    let store: any ChunkStore
    let reserve: DiskReserve?
    let transport: any HTTPTransport
    let schedule: any SaveSchedule
    let observer: any CacheObserver
    let cancellation: Cancellation

    /// Performs a request, calls `finish` however it ended, and reports its end.
    ///
    /// - Parameters:
    ///   - request: the request to send.
    ///   - handler: receives the response.
    ///   - watcher: watches the request.
    ///   - phases: tracks the download's phase.
    ///   - finish: saves the remainder; its argument is true if the response did not fail.
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

    /// Requests bytes 0-1, and returns the information in the head; drops the bytes (C3).
    ///
    /// - Parameters:
    ///   - target: what to request; `.whole` for an origin that refuses ranges, whose answer is
    ///     cancelled after its head.
    ///   - phases: tracks the download's phase.
    ///   - retryAfter: set to the delay that a failing origin asks for.
    /// - Returns: the information.
    /// - Throws: ``DownloadError`` or ``TransportError``; `RepresentationChanged` if only a request
    ///   for the whole may help.
    func probe(
        _ target: HTTPRequest.Target = .range(ByteRange(offset: 0, length: 2)),
        phases: PhaseTracker, retryAfter: inout Duration?
    ) throws -> ContentInformation {
        let request = HTTPRequest(url: url, target: target, readSize: schedule.readSize)
        let watcher = observer.requestBegan(url: url, start: 0)
        phases.enter(.connecting)
        let response = ProbeResponse(request: request, watcher: watcher, phases: phases)
        defer { retryAfter = response.retryAfter }
        try perform(request, handler: response, watcher: watcher, phases: phases) { _ in }
        guard let information = response.information else {
            throw DownloadError.truncated(url: url, missing: 2)
        }
        return information
    }
}
