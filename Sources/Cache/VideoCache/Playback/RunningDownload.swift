/// A session's download, on a thread of its own: sends requests until no reader wants more, all
/// bytes have arrived, or no attempt makes progress.
final class RunningDownload {
    private let session: VideoSession
    private let number: Int
    private let context: RequestContext
    private let phases: PhaseTracker
    // State of the current request.
    private var leg: VideoSession.Leg?
    private var rangesWereIgnored = false
    private var toldLength: Int64?
    private var isFirst = false
    private var newBytes = 0
    private var hasSwitched = false
    private var savedEnd: Int64 = 0

    /// Creates the download of a run; nil if the run is gone.
    init?(session: VideoSession, number: Int) {
        guard let context = session.context(of: number) else { return nil }
        (self.session, self.number, self.context) = (session, number, context)
        phases = PhaseTracker(observer: session.loader.observer, current: .idle)
    }

    func run() {
        var failure: (any Error)?
        do {
            try fetchAll()
        } catch TransportError.cancelled {
        } catch {
            failure = error
        }
        session.end(number, failure: failure)
    }

    private func fetchAll() throws {
        var count = RetryCount(policy: session.loader.options.retry)
        while let leg = session.leg(of: number) {
            var retryAfter: Duration?
            (newBytes, hasSwitched) = (0, false)
            do {
                try fetch(leg, retryAfter: &retryAfter)
                guard newBytes > 0 || leg.position >= leg.version.end ?? .max else {
                    throw DownloadError.truncated(
                        url: context.url, missing: (leg.end ?? leg.position + 1) - leg.position)
                }
                count.noteProgress()
            } catch let change as RepresentationChanged {
                guard try take(change, leg) else { return }
            } catch is BeganMeanwhile {
                continue
            } catch {
                // The bytes of another version are no progress of the one before (K7).
                if newBytes > 0, !hasSwitched { count.noteProgress() }
                // Without ranges or validators, later bytes may belong to another version.
                let isLast = leg.isWhole && self.leg?.version.information.isRecognizable != true
                if isLast, self.leg?.version.isEmpty == false { throw error }
                if !leg.isWhole, count.isLastResort(after: error, retryAfter: retryAfter) {
                    session.makeWhole(number)
                    continue
                }
                try count.pause(
                    after: error, retryAfter: retryAfter, cancellation: context.cancellation)
            }
        }
    }

    /// Switches to the origin's new version; false if this run must end.
    private func take(_ change: RepresentationChanged, _ leg: VideoSession.Leg) throws -> Bool {
        if change.isConditionIgnored {
            leg.version.noteConditionsIgnored()
            return true
        }
        let version = leg.version
        if version.doubt.open(about: version.information, change) { return true }
        guard let facts = change.facts else {
            toldLength = change.toldLength
            rangesWereIgnored = true
            session.makeWhole(number)
            return true
        }
        let belief = Belief(
            url: context.url, known: leg.version.information, kept: leg.version.kept)
        try belief.refuseUnproven(facts, isKnown: false)
        if session.comesInTurn(facts, with: version) {
            if version.doubt.mayTakeTurns() { return true }
            session.divert(number, from: version, to: facts)
            return true
        }
        let new = VideoVersion(
            facts, replacing: leg.version.held, url: context.url, in: context.store)
        session.adopt(new, after: leg.version)
        return false
    }

    private func fetch(_ leg: VideoSession.Leg, retryAfter: inout Duration?) throws {
        self.leg = leg
        savedEnd = 0
        let version = leg.version
        let start = leg.isWhole ? 0 : leg.position
        let way = try way(with: leg)
        isFirst = way.isFirst
        defer { version.release(request: number) }
        try context.fetch(
            Self.target(leg, length: version.information.length), from: start, going: way,
            for: self, phases: phases
        ) { retryAfter = $0.retryAfter }
        version.doubt.settle()
        session.came(version)
    }

    private func way(with leg: VideoSession.Leg) throws -> Continuation {
        let version = leg.version
        if leg.isWhole {
            return Continuation(
                known: version.information, kept: version.kept, toldLength: toldLength)
        }
        let tails = version.isCompared ? try session.tails(of: version, run: number) : []
        let proof = OverlapProof(
            context: context, phases: phases, version: version, tails: tails
        ) {}
        return try proof.continuation(at: leg.position)
    }

    private static func target(_ leg: VideoSession.Leg, length: Int64?) -> HTTPRequest.Target {
        if leg.isWhole { return .whole }
        guard let end = leg.end, end != length else { return .from(leg.position) }
        return .range(ByteRange(from: leg.position, to: end))
    }
}

extension RunningDownload: ResponseTarget {
    func version(for facts: ContentInformation?, isKnown: Bool) throws -> VideoVersion {
        guard let leg else { throw TransportError.cancelled }
        let version = leg.version
        guard let facts else { return version }
        guard leg.isWhole else {
            if isFirst, !(try version.begin(with: facts, request: number)) {
                throw BeganMeanwhile()
            }
            try learn(facts.length, of: version)
            return version
        }
        // A body without a length need not have the one that was told before (K19).
        let isLike =
            facts.length != nil || version.end == nil
            ? !version.information.contradicts(facts) : version.information.isProvenSame(as: facts)
        if isKnown || version.isEmpty && isLike {
            version.noteRangesIgnored()
            try learn(facts.length, of: version)
            return version
        }
        var newFacts = facts
        // Whatever it announces: nothing could show that a range is of this version.
        if rangesWereIgnored, !facts.isRecognizable { newFacts.acceptsRanges = false }
        let new = VideoVersion(
            newFacts, replacing: version.held, url: context.url, in: context.store)
        session.adopt(new, after: version, run: number)
        hasSwitched = true
        self.leg?.version = new
        return new
    }

    /// Records a length that was unknown; the download continues if the store cannot accept it.
    private func learn(_ length: Int64?, of version: VideoVersion) throws {
        guard let length else { return }
        do {
            try version.learn(length: length)
        } catch {
            session.saveFailed(run: number)
        }
    }

    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64) {
        newBytes += session.arrived(bytes, at: position, run: number)
    }

    func saved(upTo position: Int64) {
        guard position > savedEnd else { return }
        savedEnd = position
        session.saved(upTo: position, run: number)
    }

    func hadNoRoom() { session.saveFailed(run: number) }
    func cannotSave(_ error: any Error) { session.saveFailed(run: number) }
    func goOn(at position: Int64) throws { try session.goOn(number) }
}
