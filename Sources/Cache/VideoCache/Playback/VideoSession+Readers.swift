extension VideoSession {
    // Limits the copy made under all readers' lock; a reader may take only part of it.
    private static let mostCopied = 128 << 10

    enum Look: Sendable {
        case end
        /// Bytes in the memory of a running download, from the reader's position on.
        case bytes([UInt8], position: Int64)
        /// Nothing is known of the video yet.
        case unbound
        /// The byte is in the store, or nowhere.
        case elsewhere(version: VideoVersion, range: ByteRange, moves: Int)
    }

    /// Registers a reader of a range; nil reads to the end.
    func addReader(range: ByteRange?, fields: HTTPFields = HTTPFields()) -> Int {
        monitor.withLock { state in
            let number = state.nextNumber()
            state.readers[number] = SessionState.Reader(
                position: range?.offset ?? 0, end: range?.end ?? Int64.max, fields: fields)
            return number
        }
    }

    func version(of number: Int) -> VideoVersion? {
        monitor.withLock { $0.readers[number]?.version }
    }

    /// Binds a reader to the current version; false if it is not known, or must be asked about.
    @discardableResult
    func bindIfKnown(_ number: Int, ifFresh: Bool = false) -> Bool {
        monitor.withLock { state in
            guard let current = state.current else { return false }
            if ifFresh, loader.standing(of: current.information, for: loader.wish(.none)) != .fresh
            {
                return false
            }
            state.readers[number]?.version = current
            return true
        }
    }

    func bind(_ number: Int, cancellation: Cancellation) throws -> VideoVersion {
        if let version = version(of: number) { return version }
        let fields = monitor.withLock { $0.readers[number]?.fields } ?? HTTPFields()
        let version = try currentVersion(
            for: .none, fields: fields, cancellation: cancellation
        ).version
        return monitor.withLock { state in
            let newest = state.current ?? version
            state.readers[number]?.version = newest
            return newest
        }
    }

    /// Cancels a reader, and stops the downloads that only it wants (F3, S3); returns how many.
    @discardableResult
    func cancel(_ number: Int) -> Int {
        let pressed = monitor.change { state in
            state.readers[number]?.isCancelled = true
            return state.unwanted()
        }
        for cancellation in pressed { cancellation.cancel() }
        return pressed.count
    }

    /// Removes a reader; returns how many downloads were stopped for it.
    @discardableResult
    func removeReader(_ number: Int) -> Int {
        let stopped = cancel(number)
        monitor.change { _ = $0.readers.removeValue(forKey: number) }
        return stopped
    }

    /// Looks up a reader's next byte; throws why the reader cannot continue.
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

    /// Marks a reader as started with this version; false if it is now bound to another one.
    func begin(_ number: Int, with version: VideoVersion) -> Bool {
        monitor.withLock { state in
            guard state.readers[number]?.version === version else { return false }
            state.readers[number]?.hasStarted = true
            return true
        }
    }

    func pass(_ number: Int, to position: Int64) {
        // An uncached download waits until its bytes are read.
        let mustRing = monitor.withLock { state in
            state.readers[number]?.position = position
            return state.runs.values.contains { $0.isUncached }
        }
        if mustRing { monitor.change { _ in } }
    }

    /// Waits until a byte that is not in the store may be available, and starts a download if no
    /// running one brings it soon: at `bridge`, if cached bytes have to show which version it is
    /// of; `moves` is the counter that the reader saw before its lookup.
    func awaitByte(_ number: Int, moves: Int, nextCached: Int64?, bridge: Int64? = nil) throws {
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
                from: bridge ?? position, limit: min(end, nextCached ?? Int64.max),
                version: version)
            state.runs[run]?.fields = reader.fields
            state.readers[number]?.waitsFor = run
            return .some(run)
        }
        if let started { begin(started) }
    }

    /// Starts a download of bytes that a reader will want soon, none of them cached; false if bytes have
    /// moved since the reader's lookup, so that the gap may be filled.
    func prefetch(_ number: Int, _ gap: ByteRange, moves: Int) -> Bool {
        let (isCurrent, started) = monitor.withLock { state -> (Bool, Int?) in
            guard state.moves == moves else { return (false, nil) }
            return (true, state.startPrefetch(number, gap))
        }
        if let started { begin(started) }
        return isCurrent
    }

    private func begin(_ number: Int) {
        do {
            try loader.detach { [self] in RunningDownload(session: self, number: number)?.run() }
        } catch {
            end(number, failure: error)
        }
    }
}

extension SessionState {
    /// Registers a run for a gap ahead of a reader, unless another run brings it.
    mutating func startPrefetch(_ number: Int, _ gap: ByteRange) -> Int? {
        guard let reader = readers[number], !reader.isCancelled, reader.failure == nil, !isClosed,
            let version = reader.version, version.information.acceptsRanges,
            holder(of: gap.offset, version: version) == nil,
            bringer(of: gap.offset, version: version) == nil, gap.offset < end(of: reader)
        else { return nil }
        let run = start(from: gap.offset, limit: min(gap.end, end(of: reader)), version: version)
        runs[run]?.fields = reader.fields
        return run
    }

    /// The reader, or why it may not continue; a failure that may be temporary is thrown once.
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
