import RigModel

/// Makes rows like those of kill tests, without running any.
///
/// Losses come in lumps: most kills lose what was read since the last chunk, some nothing. Two runs
/// of one plan lose the same in most iterations, because only a race decides whether the chunk was
/// saved. Times have a tail, and depend on the machine's speed, which differs between runs by up to
/// a tenth and drifts within them.
struct EqualRuns {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    /// What changes the measurements of a run.
    struct Change {
        var refetchedFactor = 1.0
        var timeFactor = 1.0
    }

    /// The rows of a run, all conclusive; runs of one plan share `plan`, and with a drift of 0.1
    /// the machine's speed varies by up to 10 %.
    mutating func run(
        _ count: Int, plan: UInt64, drift: Double = 0.1, change: Change = Change()
    ) -> [IterationRow] {
        let speed = 1 + drift * (random.unit() - 0.5)
        return (1...count).map { index in
            var planned = SplitMix64(seed: plan &+ UInt64(index) &* 7_919)
            let wander = 1 + drift / 4 * (Double(index) / Double(count) - 0.5)
            return row(
                index, planned: &planned, slowness: speed * wander * change.timeFactor,
                refetchedFactor: change.refetchedFactor)
        }
    }

    private mutating func row(
        _ index: Int, planned: inout SplitMix64, slowness: Double, refetchedFactor: Double
    ) -> IterationRow {
        let chunk: Int64 = 65_536
        let read: Int64 = 4_096
        let received = 1 + Int64(planned.unit() * 1_048_574)
        // A tenth of the kills races with a commit: the chunk is saved or not.
        let isRace = planned.unit() < 0.1
        let isLate = isRace && random.unit() < 0.5
        let sinceChunk = received % chunk / read * read
        let lost = isLate ? min(received, sinceChunk + chunk) : sinceChunk
        return makeRow("64KB", iteration: index, lost: lost, received: received) { row in
            row.seed = planned.next()
            row.planned = "\(received)"
            let jitter = Int64(random.unit() * 3) * read
            let refetched = Double(1_048_576 - received + lost + jitter)
            row.refetchedBytes = Int64((refetched * refetchedFactor).rounded())
            row.killSeconds = slowness * (0.02 + Double(received) / 20_000_000) * (1 + 0.2 * tail())
            row.recoverySeconds = slowness * 0.01 * (1 + tail())
            row.resumeSeconds = row.recoverySeconds.map { $0 + slowness * 0.002 * tail() }
        }
    }

    /// Most small, some large: the product of two uniform numbers, of mean 0.25.
    private mutating func tail() -> Double {
        let first = random.unit()
        return first * random.unit()
    }
}
