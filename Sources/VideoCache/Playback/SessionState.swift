/// What a session knows at one moment; a value, changed under the session's lock only.
struct SessionState: Sendable {
    /// A reader, as the session sees it.
    struct Reader: Sendable {
        /// The version it is bound to; nil before anything is known.
        var version: VideoVersion?
        /// Where its next byte comes from.
        var position: Int64
        /// Where it ends at the latest.
        var end: Int64
        /// The run whose bytes it waits for.
        var waitsFor: Int?
        /// Why it cannot go on.
        var failure: (any Error)?
        var isCancelled = false
        /// True when it has handed out a byte, and so cannot go over to another version.
        var hasStarted = false
    }

    /// A download under way, as the session sees it.
    struct Run: Sendable {
        var version: VideoVersion
        /// Where it began.
        var start: Int64
        /// Where it stops; nil when that is where the video ends.
        var end: Int64?
        /// The bytes that have come and are not in the store, and where they begin.
        var tailStart: Int64
        var tail: [UInt8] = []
        /// True when the whole is asked for, from the first byte on.
        var isWhole: Bool
        /// True when the store takes nothing: bytes are kept until they are read, and no longer.
        var isUncached = false
        /// True when nothing more comes: it saves what came, or waits for it to be read.
        var isEnding = false
        let cancellation = Cancellation()

        /// Where its next byte belongs.
        var position: Int64 { tailStart + Int64(tail.count) }

        /// True when the origin sends no part by itself, so that however far a reader is ahead it
        /// has to wait: it has said so, or has just answered a range with something else.
        var isTheOnlyWay: Bool { isWhole || !version.information.acceptsRanges }

        /// True when the byte is in its hands, and not in the store.
        func holds(_ position: Int64) -> Bool {
            position >= tailStart && position < self.position
        }

        /// True when the byte lies before its end.
        func isBeforeEnd(_ position: Int64) -> Bool { end.map { position < $0 } ?? true }
    }

    /// How far ahead of a running download a reader waits for it, instead of starting another.
    static let joinDistance: Int64 = 1 << 20

    /// The version that new readers are bound to; nil when nobody has looked yet.
    var current: VideoVersion?
    /// Stops whoever is finding out the current version; nil when nobody is.
    var looking: Cancellation?
    var isClosed: Bool
    /// How many readers' threads are using the store.
    var visitors = 0
    /// Counts moves of bytes from a run to the store, and ends of runs.
    var moves = 0
    var readers: [Int: Reader] = [:]
    var runs: [Int: Run] = [:]
    private var lastNumber = 0

    init(isClosed: Bool) { self.isClosed = isClosed }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// True when nothing would be lost if the session were forgotten.
    var isIdle: Bool {
        readers.isEmpty && runs.isEmpty && looking == nil
            && (current.map { $0.video != nil } ?? true)
    }

    /// Where a reader's bytes end, as far as is known.
    func end(of reader: Reader) -> Int64 {
        min(reader.end, reader.version?.end ?? Int64.max)
    }

    /// The run of a version that holds the byte.
    func holder(of position: Int64, version: VideoVersion) -> Run? {
        runs.values.first { $0.version === version && $0.holds(position) }
    }

    /// The run that will bring the byte soon; one that is ending counts, since bytes may still come.
    func bringer(of position: Int64, version: VideoVersion) -> Int? {
        runs.first { _, run in
            guard run.version === version, position >= run.position else { return false }
            let isNear = position - run.position <= Self.joinDistance
            if run.isEnding { return isNear && !run.isUncached }
            return run.isBeforeEnd(position) && (isNear || run.isTheOnlyWay)
        }?.key
    }

    /// True when some reader wants the run's next byte.
    func isWanted(_ run: Run) -> Bool {
        readers.values.contains { wants($0, run) }
    }

    private func wants(_ reader: Reader, _ run: Run) -> Bool {
        guard reader.version === run.version, !reader.isCancelled, reader.failure == nil,
            reader.end > run.position, reader.position < end(of: reader)
        else { return false }
        if reader.position >= run.position {
            return run.isBeforeEnd(reader.position)
                && (reader.position - run.position <= Self.joinDistance || run.isTheOnlyWay)
        }
        // Of several runs ahead of a reader only the nearest is its own.
        return !runs.values.contains { other in
            other.version === run.version && !other.isEnding && other.position >= reader.position
                && other.position < run.position
        }
    }

    /// How far the run is ahead of the readers that want it; nil when none does.
    func lead(of run: Run) -> Int64? {
        readers.values.filter { wants($0, run) }.map { run.position - $0.position }.min()
    }

    /// Enters a run from a position on, which stops where other bytes begin.
    ///
    /// - Parameters:
    ///   - position: its first byte.
    ///   - limit: where the reader ends, or cached bytes begin.
    ///   - version: whose bytes are wanted.
    /// - Returns: its number.
    mutating func start(from position: Int64, limit: Int64, version: VideoVersion) -> Int {
        let number = nextNumber()
        guard version.information.acceptsRanges else {
            runs[number] = Run(
                version: version, start: 0, end: nil, tailStart: 0, isWhole: true)
            return number
        }
        var end = limit
        for (other, run) in runs where run.version === version {
            if run.tailStart > position {
                end = min(end, run.tailStart)
            } else if run.position <= position, run.isBeforeEnd(position) {
                // From here on the new run brings the bytes.
                runs[other]?.end = position
            }
        }
        runs[number] = Run(
            version: version, start: position, end: end == Int64.max ? nil : end,
            tailStart: position, isWhole: false)
        return number
    }

    /// Throws away what an uncached run holds and no reader can still want.
    ///
    /// A reader far behind the first one does not hold it up: it has its bytes fetched again.
    mutating func trim(_ number: Int) {
        guard let run = runs[number], run.isUncached else { return }
        let positions = readers.values.filter {
            $0.version === run.version && !$0.isCancelled && $0.failure == nil
                && $0.position < run.position && end(of: $0) > run.tailStart
        }.map(\.position)
        var first = run.position
        if let last = positions.min(), let front = positions.max() {
            first = max(last, front - Self.joinDistance)
        }
        let passed = Int(first - run.tailStart)
        guard passed > 0 else { return }
        runs[number]?.tail.removeFirst(passed)
        runs[number]?.tailStart += Int64(passed)
    }

    /// Lets nothing more come by a run.
    ///
    /// Where nobody could tell that further bytes belong to those that came, the next reader
    /// begins anew.
    mutating func stop(_ number: Int) {
        guard let run = runs[number] else { return }
        runs[number]?.isEnding = true
        guard current === run.version, run.version.cannotGoOn,
            run.position < run.version.information.length ?? Int64.max
        else { return }
        current = run.version.successor()
    }

    /// Asks runs that nobody wants to stop, and says which cancellations to press.
    mutating func unwanted() -> [Cancellation] {
        var pressed: [Cancellation] = []
        for (number, run) in runs where !run.isEnding && !isWanted(run) {
            stop(number)
            pressed.append(run.cancellation)
        }
        return pressed
    }
}
