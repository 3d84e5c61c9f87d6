internal import OriginFaults

/// A mount's state: a value without locks or sockets that decides what each body does next.
struct MountState: Sendable {
    enum Step: Sendable, Hashable {
        /// Hand out this many bytes; they are counted as served.
        case send(Int)
        /// The hold allows nothing: ask again when `version` has changed.
        case hold(version: Int)
        /// Wait until the given time, then ask again with this many bytes paid for.
        case pace(Int, until: ContinuousClock.Instant)
        /// End the body and its connection now.
        case cut
    }

    private(set) var entries: [Int: LedgerEntry] = [:]
    /// The positions handed out since the mount.
    private(set) var served = ServedPositions()
    /// The bodies that are being sent or held.
    private(set) var running: Set<Int> = []
    private(set) var held: Set<Int> = []
    /// Incremented by every change that can let a held body continue.
    private(set) var version = 0

    private var limit: Int64?
    private var pacer: Pacer?
    private var lastOrdinal = 0
    /// The answers whose early end their clients have seen.
    private var brokenOff: Set<Int> = []

    init(bytesPerSecond: Double?, now: ContinuousClock.Instant) {
        pacer = bytesPerSecond.map { Pacer(bytesPerSecond: $0, startingAt: now) }
    }

    mutating func begin(
        _ request: RequestFacts, _ plan: ResponsePlan, strikes: [OriginFault] = [],
        now: ContinuousClock.Instant
    ) -> Int {
        lastOrdinal += 1
        let isRunning = plan.hasBody
        entries[lastOrdinal] = LedgerEntry(
            ordinal: lastOrdinal, method: request.method, rangeHeader: request.range,
            ifRange: request.ifRange, strikes: strikes, status: plan.status, requested: plan.body,
            state: isRunning ? .running : .complete, startedAt: now, endedAt: isRunning ? nil : now)
        if isRunning {
            if running.isEmpty { pacer?.restart(at: now) }
            running.insert(lastOrdinal)
        }
        return lastOrdinal
    }

    /// Decides what a body with a window that is not empty does next, of which `paid` bytes have
    /// passed the pacer; a shared hold allows `shared` more positions, and only `.send` changes
    /// what counts as served.
    mutating func step(
        _ ordinal: Int, window: Range<Int64>, paid: Int, now: ContinuousClock.Instant,
        shared: Int64? = nil
    ) -> Step {
        guard running.contains(ordinal) else { return .cut }
        var count = window.upperBound - window.lowerBound
        if let quantum = pacer?.quantum {
            if paid == 0 {
                let bytes = min(Int(count), quantum)
                return .pace(bytes, until: pacer?.reserve(bytes, at: now) ?? now)
            }
            count = min(count, Int64(paid))
        }
        if let allowed = [limit.map { $0 - served.count }, shared].compactMap(\.self).min() {
            count = served.reach(
                in: window.lowerBound..<window.lowerBound + count, newPositions: max(0, allowed))
        }
        guard count > 0 else {
            held.insert(ordinal)
            return .hold(version: version)
        }
        held.remove(ordinal)
        served.insert(window.lowerBound..<window.lowerBound + count)
        if entries[ordinal]?.firstByteAt == nil { entries[ordinal]?.firstByteAt = now }
        entries[ordinal]?.servedBytes += count
        return .send(Int(count))
    }

    /// Records that a body ended; false when that was already recorded.
    @discardableResult
    mutating func end(
        _ ordinal: Int, _ state: LedgerEntry.State, now: ContinuousClock.Instant
    ) -> Bool {
        guard running.remove(ordinal) != nil else { return false }
        held.remove(ordinal)
        entries[ordinal]?.state = state
        entries[ordinal]?.endedAt = now
        return true
    }

    /// Notes that the client has seen how its answer ends early.
    mutating func breakOff(_ ordinal: Int) { brokenOff.insert(ordinal) }

    /// Takes back the faults that were to end an answer early, unless the client has seen that.
    mutating func giveBack(_ ordinal: Int) -> [OriginFault] {
        guard !brokenOff.contains(ordinal), let strikes = entries[ordinal]?.strikes else {
            return []
        }
        entries[ordinal]?.strikes = strikes.filter { !$0.kind.facts.breaksOff }
        return strikes.filter(\.kind.facts.breaksOff)
    }

    mutating func setLimit(_ positions: Int64?, now: ContinuousClock.Instant) {
        limit = positions
        version += 1
        pacer?.restart(at: now)
    }

    mutating func cut(now: ContinuousClock.Instant) {
        version += 1
        for ordinal in running { end(ordinal, .cut, now: now) }
    }

    /// Forgets the requests so far; their bodies continue, unrecorded.
    mutating func resetLedger() { entries = [:] }
}
