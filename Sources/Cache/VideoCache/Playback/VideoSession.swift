/// One video in a loader; a reader gets each byte either from the store or from a running download,
/// always of the version to which the reader is bound.
final class VideoSession: Sendable {
    let url: String
    // The loader keeps its sessions. Readers and running downloads, whose threads are all that uses
    // them, keep the loader.
    unowned let loader: VideoLoader
    let monitor: Monitor<SessionState>

    /// Creates a session without readers; a closed one rejects every reader.
    init(url: String, loader: VideoLoader, isClosed: Bool) {
        (self.url, self.loader) = (url, loader)
        monitor = Monitor(SessionState(isClosed: isClosed))
    }

    var isIdle: Bool { monitor.withLock { $0.isIdle } }

    /// Gives a reader's thread the store, until the session is closed, which waits for its end.
    func withStore<Value>(_ body: (any ChunkStore) throws -> Value) throws -> Value {
        try monitor.withLock { state in
            if state.isClosed { throw TransportError.cancelled }
            state.visitors += 1
        }
        defer {
            let isAwaited = monitor.withLock { state in
                state.visitors -= 1
                return state.isClosed
            }
            if isAwaited { monitor.change { _ in } }
        }
        return try body(loader.store)
    }

    /// Forgets the current version if the store no longer has it, and was not seen to have it within
    /// this time: it may have been cleared, or replaced by another process.
    func refresh(unlessSeenWithin time: Duration = .zero) throws {
        // An empty one is asked for again (K1).
        monitor.withLock { state in
            if state.current?.end == 0, state.looking == nil { state.current = nil }
        }
        let now = ContinuousClock.now
        let (current, seen) = monitor.withLock { ($0.current, $0.seen) }
        guard let current, let held = current.held else { return }
        if let seen, seen.version === current, now - seen.time < time { return }
        guard try withStore({ try $0.video(url: url)?.id != held.id }) else {
            return monitor.withLock { $0.seen = (current, now) }
        }
        monitor.change { state in if state.current === current { state.current = nil } }
    }

    /// Ends all runs and waits; what they received is saved, and the store is unused afterwards.
    func close() {
        let pressed = monitor.change { state in
            state.isClosed = true
            for number in state.runs.keys { state.runs[number]?.isEnding = true }
            return state.runs.values.map(\.cancellation) + [state.looking].compactMap(\.self)
        }
        for cancellation in pressed { cancellation.cancel() }
        monitor.wait { state in
            state.runs.isEmpty && state.looking == nil && state.visitors == 0 ? () : nil
        }
    }

    /// Replaces a version that the origin no longer has: its readers fail, but for those that have
    /// not started and would see no difference; a run that is given switches, from its first byte
    /// on.
    func adopt(_ new: VideoVersion, after old: VideoVersion, run runNumber: Int? = nil) {
        let isLikeOld = new.end == old.end && !new.information.contradicts(old.information)
        let pressed = monitor.change { state -> [Cancellation] in
            if let tag = old.information.strongETag { state.formerTags[tag] = 0 }
            if let tag = new.information.strongETag { state.formerTags[tag] = nil }
            if state.current === old || state.current == nil { state.current = new }
            for (number, reader) in state.readers where reader.version === old {
                if !reader.hasStarted, isLikeOld {
                    state.readers[number]?.version = new
                } else {
                    state.readers[number]?.failure = DownloadError.changed(url: url)
                }
            }
            if let runNumber {
                state.runs[runNumber]?.version = new
                state.restart(runNumber)
            }
            var pressed: [Cancellation] = []
            for (number, run) in state.runs where run.version === old && number != runNumber {
                state.runs[number]?.isEnding = true
                pressed.append(run.cancellation)
            }
            return pressed
        }
        for cancellation in pressed { cancellation.cancel() }
    }
}
