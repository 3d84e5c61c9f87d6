extension VideoSession {
    // Copied under the lock of all readers, for one who may take but a part of them.
    private static let mostCopied = 128 << 10

    /// What a reader finds when it looks for its next byte.
    enum Look: Sendable {
        /// The range is read to its end.
        case end
        /// Bytes in the hands of a running download, from the reader's position on.
        case bytes([UInt8], position: Int64)
        /// Nothing is known of the video yet.
        case unbound
        /// The byte is in the store, or nowhere.
        case elsewhere(version: VideoVersion, range: ByteRange, moves: Int)
    }

    /// Enters a reader of a range; nil reads to the end.
    func addReader(range: ByteRange?) -> Int {
        monitor.withLock { state in
            let number = state.nextNumber()
            state.readers[number] = SessionState.Reader(
                position: range?.offset ?? 0, end: range?.end ?? Int64.max)
            return number
        }
    }

    /// Where a reader's next byte comes from; nil when the reader is gone.
    func position(of number: Int) -> Int64? {
        monitor.withLock { $0.readers[number]?.position }
    }

    /// Binds a reader to the current version, when it is known.
    func bindIfKnown(_ number: Int) {
        monitor.withLock { $0.readers[number]?.version = $0.current }
    }

    /// Binds a reader that has no version yet to the current one.
    func bind(_ number: Int, cancellation: Cancellation) throws -> VideoVersion {
        if let version = monitor.withLock({ $0.readers[number]?.version }) { return version }
        let version = try currentVersion(cancellation: cancellation)
        return monitor.withLock { state in
            let newest = state.current ?? version
            state.readers[number]?.version = newest
            return newest
        }
    }

    /// Wakes a reader for good, and stops the downloads that nobody else wants (F3, S3).
    func cancel(_ number: Int) {
        let pressed = monitor.change { state in
            state.readers[number]?.isCancelled = true
            return state.unwanted()
        }
        for cancellation in pressed { cancellation.cancel() }
    }

    /// Forgets a reader.
    func removeReader(_ number: Int) {
        cancel(number)
        monitor.change { _ = $0.readers.removeValue(forKey: number) }
    }

    /// Looks for a reader's next byte.
    ///
    /// - Throws: why the reader cannot go on.
    func look(_ number: Int, limit: Int) throws -> Look {
        try monitor.withLock { state in
            let reader = try state.usableReader(number)
            guard let version = reader.version else { return .unbound }
            let position = reader.position
            let end = state.end(of: reader)
            guard position < end else { return .end }
            guard let run = state.holder(of: position, version: version) else {
                let range = ByteRange(from: position, to: end)
                return .elsewhere(version: version, range: range, moves: state.moves)
            }
            let first = Int(position - run.tailStart)
            let most = min(limit, Self.mostCopied, run.tail.count - first)
            let count = min(Int64(most), end - position)
            state.readers[number]?.hasStarted = true
            return .bytes(Array(run.tail[first..<first + Int(count)]), position: position)
        }
    }

    /// Has a reader begin with what was found of a version; false when it has another by now.
    func begin(_ number: Int, with version: VideoVersion) -> Bool {
        monitor.withLock { state in
            guard state.readers[number]?.version === version else { return false }
            state.readers[number]?.hasStarted = true
            return true
        }
    }

    /// Moves a reader past bytes that it got from the store.
    func advance(_ number: Int, to position: Int64) {
        monitor.withLock { $0.readers[number]?.position = position }
    }

    /// Moves a reader past bytes that it got from a running download.
    func pass(_ number: Int, to position: Int64) {
        // An uncached download waits until its bytes are read.
        let mustRing = monitor.withLock { state in
            state.readers[number]?.position = position
            return state.runs.values.contains { $0.isUncached }
        }
        if mustRing { monitor.change { _ in } }
    }

    /// Waits until a byte that the store does not have may be somewhere, and has it fetched when
    /// no running download brings it soon.
    ///
    /// - Parameters:
    ///   - number: the reader whose next byte it is.
    ///   - moves: what the reader saw when it began to look.
    ///   - nextCached: where cached bytes begin after it; nil when there are none.
    /// - Throws: why the reader cannot go on.
    func awaitByte(_ number: Int, moves: Int, nextCached: Int64?) throws {
        let started = try monitor.wait { state -> Int?? in
            let reader = try state.usableReader(number)
            guard let version = reader.version else { return .some(nil) }
            let position = reader.position
            let end = state.end(of: reader)
            if position >= end || state.moves != moves { return .some(nil) }
            if state.holder(of: position, version: version) != nil { return .some(nil) }
            if let run = state.bringer(of: position, version: version) {
                state.readers[number]?.waitsFor = run
                return nil
            }
            let run = state.start(
                from: position, limit: min(end, nextCached ?? Int64.max), version: version)
            state.readers[number]?.waitsFor = run
            return .some(run)
        }
        if let started { begin(started) }
    }

    /// Has bytes fetched that a reader will want soon.
    ///
    /// - Parameters:
    ///   - number: the reader.
    ///   - gap: the bytes, none of them cached.
    ///   - moves: what the reader saw when it began to look.
    /// - Returns: false when bytes have moved since, so that the gap may be none.
    func prefetch(_ number: Int, _ gap: ByteRange, moves: Int) -> Bool {
        let (isCurrent, started) = monitor.withLock { state -> (Bool, Int?) in
            guard state.moves == moves else { return (false, nil) }
            return (true, state.startPrefetch(number, gap))
        }
        if let started { begin(started) }
        return isCurrent
    }

    private func begin(_ number: Int) {
        engine.detach { [self] in RunningDownload(session: self, number: number)?.run() }
    }
}

extension SessionState {
    /// Enters a run for a gap that a reader will come to, unless another run brings it.
    mutating func startPrefetch(_ number: Int, _ gap: ByteRange) -> Int? {
        guard let reader = readers[number], !reader.isCancelled, reader.failure == nil, !isClosed,
            let version = reader.version, version.information.acceptsRanges,
            holder(of: gap.offset, version: version) == nil,
            bringer(of: gap.offset, version: version) == nil, gap.offset < end(of: reader)
        else { return nil }
        return start(from: gap.offset, limit: min(gap.end, end(of: reader)), version: version)
    }

    /// A reader that may go on.
    ///
    /// - Throws: why it may not. A failure that may pass is told once.
    mutating func usableReader(_ number: Int) throws -> Reader {
        guard !isClosed, let reader = readers[number], !reader.isCancelled else {
            throw TransportError.cancelled
        }
        readers[number]?.waitsFor = nil
        guard let failure = reader.failure else { return reader }
        if case DownloadError.changed = failure { throw failure }
        readers[number]?.failure = nil
        throw failure
    }
}
