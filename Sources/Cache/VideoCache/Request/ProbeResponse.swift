/// Handles the response to a request for bytes 0-1: its head, judged as any other (C3, K1).
final class ProbeResponse: HTTPResponseHandler {
    private let judge: ResponseJudge
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private let clock: CacheClock
    private let asked: Int64
    // What is stored; nil if nothing is.
    private let known: ContentInformation?
    // True if the origin has answered the condition: what is known is still so.
    private var isUnchanged = false
    private var information: ContentInformation?

    private(set) var retryAfter: Duration?

    var word: OriginWord? {
        information.map {
            OriginWord(information: $0, isSame: isUnchanged || known?.isConfirmed(by: $0) ?? false)
        }
    }

    init(
        request: HTTPRequest, known: ContentInformation?, toldLength: Int64?,
        watcher: any RequestObserver, phases: PhaseTracker, clock: CacheClock
    ) {
        judge = ResponseJudge(request: request, start: 0, known: nil, toldLength: toldLength)
        (self.known, self.clock) = (known, clock)
        asked = clock.now
        (self.watcher, self.phases) = (watcher, phases)
    }

    func head(_ head: HTTPResponseHead) throws {
        retryAfter = head.retryAfter
        defer { information?.freshness = freshness(head) }
        if head.status == 304, let known, known.etag != nil || known.lastModified != nil {
            isUnchanged = true
            information = known
            return
        }
        switch try judge.judge(head) {
        case .body(_, let end, var facts, _):
            if judge.request.target == .whole { facts.acceptsRanges = false }
            information = facts
            // A server that sends more than two bytes is stopped: they are not needed.
            if end ?? Int64.max > 2 { throw EnoughCame() }
        case .whole:
            information = informationOfWhole(head)
            // What cannot be used may be no more than how this request is answered (K2).
            guard information != nil else { throw RepresentationChanged() }
            throw EnoughCame()
        case .refused(let toldLength): throw RepresentationChanged(toldLength: toldLength)
        case .changed(let facts): throw RepresentationChanged(facts: facts)
        case .atEnd, .unnamed: throw RepresentationChanged()
        }
    }

    /// The information in a 200, judged as what it is: the answer to a request for the whole.
    private func informationOfWhole(_ head: HTTPResponseHead) -> ContentInformation? {
        var request = judge.request
        request.target = .whole
        let whole = ResponseJudge(request: request, start: 0, known: nil)
        guard case .body(_, _, var facts, _)? = try? whole.judge(head) else { return nil }
        facts.acceptsRanges = false
        return facts
    }

    private func freshness(_ head: HTTPResponseHead) -> Freshness? {
        let new = Freshness(head, asked: asked, received: clock.now)
        guard isUnchanged, let held = known?.freshness else { return new }
        return held.confirmed(by: new, at: clock.now)
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
    }
}
