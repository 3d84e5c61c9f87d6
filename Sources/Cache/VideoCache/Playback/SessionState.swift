/// The state of a session; a value, changed only under the session's lock.
struct SessionState: Sendable {
    struct Reader: Sendable {
        var version: VideoVersion?
        var position: Int64
        /// The position at which it ends at the latest.
        var end: Int64
        /// More header fields of the requests that it makes necessary.
        var fields = HTTPFields()
        var waitsFor: Int?
        var failure: (any Error)?
        var isCancelled = false
        /// True when it has returned a byte, and therefore cannot switch to another version.
        var hasStarted = false
    }

    struct Run: Sendable {
        var version: VideoVersion
        /// The position at which it stops; nil for the end of the video.
        var end: Int64?
        /// Where the received bytes that are not in the store begin.
        var tailStart: Int64
        var tail: [UInt8] = []
        /// True when the whole video is requested, from the first byte on.
        var isWhole: Bool
        /// True when the store accepts nothing: bytes are kept only until they are read.
        var isUncached = false
        /// True when nothing more arrives: it saves its bytes, or waits for them to be read.
        var isEnding = false
        /// More header fields of its requests: those of the reader that it was started for.
        var fields = HTTPFields()
        var cancellation = Cancellation()

        /// How far ahead of it a reader waits: farther where bytes alone identify the version.
        var joinDistance: Int64 { (version.isCompared ? 2 : 1) * SessionState.joinDistance }
        var position: Int64 { tailStart + Int64(tail.count) }

        /// True if the origin does not send ranges, so a reader must wait however far ahead it is:
        /// the origin has said so, or has just answered a range request with something else.
        var isTheOnlyWay: Bool { isWhole || !version.information.acceptsRanges }
        func holds(_ position: Int64) -> Bool { position >= tailStart && position < self.position }
        func isBeforeEnd(_ position: Int64) -> Bool { end.map { position < $0 } ?? true }
    }

    /// How far ahead of a running download a reader waits for it, instead of starting another.
    static let joinDistance: Int64 = 1 << 20

    /// The version that new readers are bound to; nil while it is unknown.
    var current: VideoVersion?
    /// Which version was in the store when it was last looked up, and when that was.
    var seen: (version: VideoVersion, time: ContinuousClock.Instant)?
    /// Cancels the lookup of the current version; nil if none is running.
    var looking: Cancellation?
    /// How many questions to the origin about the current version have been answered, or failed.
    var answers = 0
    var lastAnswer: Result<String?, any Error> = .success(nil)
    /// Until when the origin, which let the last question wait, is not asked again.
    var silentUntil: ContinuousClock.Instant?
    var isClosed: Bool
    var visitors = 0
    /// Counts moves of bytes from a run to the store, and ends of runs.
    var moves = 0
    var readers: [Int: Reader] = [:]
    var runs: [Int: Run] = [:]
    /// The tags that were replaced in this session, and how often each has come since.
    var formerTags: [String: Int] = [:]
    private var lastNumber = 0

    init(isClosed: Bool) { self.isClosed = isClosed }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// True if the session can be removed without losing anything.
    var isIdle: Bool {
        readers.isEmpty && runs.isEmpty && looking == nil
            && (current.map { $0.video != nil || $0.information.isForbidden } ?? true)
    }

    func end(of reader: Reader) -> Int64 { min(reader.end, reader.version?.end ?? Int64.max) }

    func holder(of position: Int64, version: VideoVersion) -> Run? {
        runs.values.first { $0.version === version && $0.holds(position) }
    }

    /// The run that will bring the byte soon; one that is ending counts, as bytes may still arrive.
    func bringer(of position: Int64, version: VideoVersion) -> Int? {
        runs.first { _, run in
            guard run.version === version, position >= run.position else { return false }
            let isNear = position - run.position <= run.joinDistance
            if run.isEnding { return isNear && !run.isUncached }
            return run.isBeforeEnd(position) && (isNear || run.isTheOnlyWay)
        }?.key
    }

    func isWanted(_ run: Run) -> Bool { readers.values.contains { wants($0, run) } }

    private func wants(_ reader: Reader, _ run: Run) -> Bool {
        guard reader.version === run.version, !reader.isCancelled, reader.failure == nil,
            reader.end > run.position, reader.position < end(of: reader)
        else { return false }
        if reader.position >= run.position {
            return run.isBeforeEnd(reader.position)
                && (reader.position - run.position <= run.joinDistance || run.isTheOnlyWay)
        }
        // If several runs are ahead of a reader, it only wants the nearest.
        return !runs.values.contains { other in
            other.version === run.version && !other.isEnding && other.position >= reader.position
                && other.position < run.position
        }
    }

    /// How far the run is ahead of the readers that want it; nil if none does.
    func lead(of run: Run) -> Int64? {
        readers.values.filter { wants($0, run) }.map { run.position - $0.position }.min()
    }

    /// Registers a run that begins at a position and ends where other bytes begin, or at a limit.
    mutating func start(from position: Int64, limit: Int64, version: VideoVersion) -> Int {
        let number = nextNumber()
        guard version.information.acceptsRanges else {
            runs[number] = Run(version: version, end: nil, tailStart: 0, isWhole: true)
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
            version: version, end: end == Int64.max ? nil : end, tailStart: position,
            isWhole: false)
        return number
    }

    /// Drops what no reader of an uncached run can still want; one far behind fetches it again.
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

    /// Marks a run as ending, so that nothing more arrives; if further bytes could not be shown to
    /// be of the same version, the next reader starts over.
    mutating func stop(_ number: Int) {
        guard let run = runs[number] else { return }
        runs[number]?.isEnding = true
        guard current === run.version, run.version.cannotGoOn,
            run.position < run.version.information.length ?? Int64.max
        else { return }
        current = run.version.successor()
    }

    /// Stops runs that no reader wants; the caller must trigger the returned cancellations.
    mutating func unwanted() -> [Cancellation] {
        var pressed: [Cancellation] = []
        for (number, run) in runs where !run.isEnding && !isWanted(run) {
            stop(number)
            pressed.append(run.cancellation)
        }
        return pressed
    }
}
