extension VideoSession {
    struct Found: Sendable {
        var version: VideoVersion
        /// Why the origin could not be asked about it; nil if it was, or need not be.
        var unconfirmed: String?
    }

    private enum Step: Sendable {
        case use(Found)
        case lookUp
        case ask(VideoVersion)
        case askBehind(VideoVersion)
    }

    /// An origin that lets a question wait for longer than this is not asked again for a while.
    private static let patience: Duration = .milliseconds(500)

    /// The origin's current version: from the cache, or from the origin (C3).
    ///
    /// What is no longer fresh is asked about by one request for all who wait; if the origin cannot
    /// be asked, the version is used nevertheless, unless that is forbidden (RFC 9111, 4.2.4).
    func currentVersion(
        for wish: FreshnessWish, fields: HTTPFields, cancellation: Cancellation
    ) throws -> Found {
        let wish = loader.wish(wish)
        let mine = Cancellation()
        let asking = loader.context(url: url, fields: fields, cancellation: mine)
        let answered = monitor.withLock { $0.answers }
        return try cancellation.waking({ [self] in
            mine.cancel()
            monitor.change { _ in }
        }) {
            let step = try monitor.wait { state -> Step? in
                if state.isClosed || mine.isCancelled { throw TransportError.cancelled }
                if state.looking != nil { return nil }
                let step = try self.step(in: state, for: wish, unlessAnsweredSince: answered)
                if case .use = step { return step }
                state.looking = mine
                return step
            }
            switch step {
            case .use(let found):
                loader.observer.informed(about: url, from: .cache)
                return found
            case .lookUp:
                if let version = try lookUpNow(for: wish, asking) {
                    loader.observer.informed(about: url, from: .network)
                    return Found(version: version)
                }
                // It was in the store: whether it is fresh is another question.
                return try currentVersion(for: wish, fields: fields, cancellation: cancellation)
            case .ask(let version):
                let found = try ask(about: version, asking)
                loader.observer.informed(
                    about: url, from: found.unconfirmed == nil ? .network : .cache)
                return found
            case .askBehind(let version):
                do {
                    try loader.detach { [self] in _ = try? ask(about: version, asking) }
                } catch {
                    // Without a thread for it, the next player asks.
                    monitor.change { $0.looking = nil }
                }
                loader.observer.informed(about: url, from: .cache)
                return Found(version: version)
            }
        }
    }

    private func step(
        in state: SessionState, for wish: FreshnessWish, unlessAnsweredSince answered: Int
    ) throws -> Step {
        guard let current = state.current else { return .lookUp }
        if state.answers > answered {
            return .use(Found(version: current, unconfirmed: try state.lastAnswer.get()))
        }
        let standing = loader.standing(of: current.information, for: wish)
        if standing == .fresh { return .use(Found(version: current)) }
        if wish.onlyIfCached {
            throw DownloadError.unconfirmed(url: url, reason: "the player does not want that")
        }
        let isSilent = state.silentUntil.map { .now < $0 } ?? false
        if standing == .stale, isSilent, let failure = try state.lastAnswer.get() {
            return .use(Found(version: current, unconfirmed: failure))
        }
        return standing == .graced ? .askBehind(current) : .ask(current)
    }

    /// Looks the version up, in the store or at the origin; nil if it was in the store.
    private func lookUpNow(
        for wish: FreshnessWish, _ asking: RequestContext
    ) throws -> VideoVersion? {
        let found = Result { () throws -> (version: VideoVersion, isAnswer: Bool) in
            if let version = try storedVersion() { return (version, false) }
            guard !wish.onlyIfCached else {
                throw DownloadError.unconfirmed(url: url, reason: "it is not cached")
            }
            return (try probedVersion(asking), true)
        }
        monitor.change { state in
            state.looking = nil
            guard case .success(let (version, isAnswer)) = found else { return }
            state.current = version
            guard isAnswer else { return }
            state.answers += 1
            state.lastAnswer = .success(nil)
        }
        let (version, isAnswer) = try found.get()
        return isAnswer ? version : nil
    }

    private func storedVersion() throws -> VideoVersion? {
        // An empty video may have been a failure of the moment, so it is asked for again (K1).
        guard let video = try loader.store.video(url: url), video.information.length != 0 else {
            return nil
        }
        let isEmpty = try loader.store.cachedRange(of: video, from: 0) == nil
        return VideoVersion(stored: video, in: loader.store, isEmpty: isEmpty)
    }

    private func probedVersion(_ asking: RequestContext) throws -> VideoVersion {
        let information = try word(asking, about: nil).information
        do {
            // What may not be stored is played without.
            if information.isForbidden { throw DownloadError.notStorable(url: url) }
            let video = try loader.store.store(information, url: url)
            return VideoVersion(stored: video, in: loader.store, isEmpty: true)
        } catch {
            // Playback must work without a cache that can store. The first save of the bytes fails
            // too, and is reported.
            return VideoVersion(information, replacing: nil, url: url, in: loader.store)
        }
    }

    private func ask(about version: VideoVersion, _ asking: RequestContext) throws -> Found {
        let began = ContinuousClock.now
        let found = Result { try answer(about: version, asking) }
        let took = ContinuousClock.now - began
        monitor.change { state in
            state.looking = nil
            // What a player that has gone has cancelled is no answer.
            if asking.cancellation.isCancelled { return }
            state.answers += 1
            state.lastAnswer = found.map(\.unconfirmed)
            let isSilent = took > Self.patience && (try? found.get())?.unconfirmed != nil
            state.silentUntil = isSilent ? .now + took * 5 : nil
        }
        return try found.get()
    }

    private func answer(about version: VideoVersion, _ asking: RequestContext) throws -> Found {
        let known = version.information
        let isUseless = loader.standing(of: known, for: .none) == .useless
        let word: OriginWord
        do {
            word = try self.word(asking, about: known, isRetried: isUseless)
        } catch  where OriginWord.isMissing(after: error) {
            if isUseless { throw DownloadError.unconfirmed(url: url, reason: "\(error)") }
            return Found(version: version, unconfirmed: "\(error)")
        }
        let facts = word.information
        if word.isSame {
            version.renew(facts.freshness, at: loader.clock.now, isAnswer: true)
            return Found(version: version)
        }
        // Without validators nothing tells versions apart; what is being played goes on.
        let isInUse = monitor.withLock {
            $0.readers.values.contains { $0.version === version && !$0.isCancelled }
        }
        if isInUse, known.validator == nil, !known.contradicts(facts) {
            return Found(version: version)
        }
        try Belief(url: url, known: known, kept: version.kept).refuseUnproven(facts, isKnown: false)
        let held = facts.isForbidden ? nil : version.held
        let new = VideoVersion(facts, replacing: held, url: url, in: loader.store)
        // Who plays the old one goes on as long as it is there.
        monitor.change { state in if state.current === version { state.current = new } }
        return Found(version: new)
    }

    /// Asks the origin, again after failures that may be temporary, and at last for the whole (K2).
    private func word(
        _ asking: RequestContext, about known: ContentInformation?, isRetried: Bool = true
    ) throws -> OriginWord {
        let phases = PhaseTracker(observer: loader.observer, current: .idle)
        defer { phases.enter(.idle) }
        var count = RetryCount(policy: isRetried ? loader.options.retry : .none)
        var retryAfter: Duration?
        var refusal: RepresentationChanged?
        while true {
            do {
                return try asking.ask(
                    about: known, after: refusal, phases: phases, retryAfter: &retryAfter)
            } catch let change as RepresentationChanged where refusal == nil {
                refusal = change
            } catch  where refusal == nil {
                if count.isLastResort(after: error, retryAfter: retryAfter) {
                    refusal = RepresentationChanged()
                } else {
                    try count.pause(
                        after: error, retryAfter: retryAfter, cancellation: asking.cancellation)
                }
            }
        }
    }
}
