extension VideoSession {
    struct Leg: Sendable {
        var version: VideoVersion
        var position: Int64
        /// Where it ends; nil if unknown.
        var end: Int64?
        var isWhole: Bool
    }

    /// The next request of a run; nil if there is nothing left that a reader wants.
    func leg(of number: Int) -> Leg? {
        monitor.change { state in
            guard let run = state.runs[number], !run.isEnding else { return nil }
            let end = [run.end, run.version.end].compactMap(\.self).min()
            let isDone = end.map { run.position >= $0 } ?? false
            guard !isDone, state.isWanted(run) else {
                state.stop(number)
                return nil
            }
            return Leg(version: run.version, position: run.position, end: end, isWhole: run.isWhole)
        }
    }

    func context(of number: Int) -> RequestContext? {
        monitor.withLock { $0.runs[number] }.map {
            loader.context(url: url, fields: $0.fields, cancellation: $0.cancellation)
        }
    }

    /// Adds received bytes to the run, for readers to use at once (S1); returns how many were new.
    func arrived(_ bytes: UnsafeRawBufferPointer, at position: Int64, run number: Int) -> Int {
        monitor.change { state in
            guard let run = state.runs[number] else { return 0 }
            // A repeated request for the whole video begins with bytes that were already received.
            let old = Int(min(max(0, run.position - position), Int64(bytes.count)))
            state.runs[number]?.tail.append(contentsOf: bytes[old...])
            return bytes.count - old
        }
    }

    /// Releases bytes that are now in the store.
    func saved(upTo position: Int64, run number: Int) {
        monitor.change { state in
            guard let run = state.runs[number], !run.isUncached else { return }
            let count = Int(min(position - run.tailStart, Int64(run.tail.count)))
            guard count > 0 else { return }
            if count == run.tail.count {
                state.runs[number]?.tail.removeAll(keepingCapacity: true)
            } else {
                state.runs[number]?.tail.removeFirst(count)
            }
            state.runs[number]?.tailStart += Int64(count)
            state.moves += 1
        }
    }

    func saveFailed(run number: Int) { monitor.change { $0.runs[number]?.isUncached = true } }
    func makeWhole(_ number: Int) { monitor.change { state in state.restart(number) } }

    /// Decides after a read whether a run continues; waits if its bytes must be read first.
    func goOn(_ number: Int) throws {
        let readAhead = loader.options.readAhead
        let isAtEnd = try monitor.wait { state -> Bool? in
            guard let run = state.runs[number], !run.isEnding else {
                throw TransportError.cancelled
            }
            if !run.isBeforeEnd(run.position) {
                state.stop(number)
                return true
            }
            let canResume = run.version.information.acceptsRanges
            guard let lead = state.lead(of: run), lead < readAhead || !canResume else {
                state.stop(number)
                throw TransportError.cancelled
            }
            guard run.isUncached else { return false }
            state.trim(number)
            return lead > SessionState.joinDistance ? nil : false
        }
        if isAtEnd { throw EnoughCame() }
    }

    /// Ends a run, whose failure readers that wait for its bytes get; what the store did not accept
    /// is kept until it is read, or no reader wants it.
    func end(_ number: Int, failure: (any Error)?) {
        monitor.change { state in
            state.stop(number)
            for (reader, facts) in state.readers
            where facts.waitsFor == number && facts.failure == nil {
                state.readers[reader]?.failure = failure
            }
        }
        _ = monitor.wait { state -> Bool? in
            state.trim(number)
            let isRead = state.runs[number]?.tail.isEmpty ?? true
            let isUncached = state.runs[number]?.isUncached ?? false
            return isRead || !isUncached || state.isClosed ? true : nil
        }
        monitor.change { state in
            state.runs[number] = nil
            state.moves += 1
        }
    }
}

extension SessionState {
    mutating func restart(_ number: Int) {
        guard var run = runs[number] else { return }
        (run.isWhole, run.end, run.tailStart, run.tail) = (true, nil, 0, [])
        runs[number] = run
    }
}
