/// Tries syncs against failing crash states, in the log of the life that they are of.
package final class CureSearch {
    package struct Outcome: Sendable {
        /// Each makes every failing state pass, one for each thing that can be synced, the cheapest
        /// first.
        package var cures: [SyncCure] = []
        /// How many others were tried, that leave a failing state.
        package var others = 0
        /// True when every smaller cure of the same causes was tried.
        package var isSmallest = true
        /// The causes of the failing states, as far as one cure did not mend them all.
        package var causes: [CrashCause]
    }

    /// Of more causes a program has more mistakes than one, and is best mended one by one.
    private static let mostCauses = 3
    /// How many other places of syncs that mend one cause are tried against all of them.
    private static let mostPlaces = 20
    private let log: StorageLog
    private let lives: CuredLives
    private let search: CrashCauseSearch
    private let failing: [[CrashDecision]]
    /// Whether a state of a life with syncs fails; the hash of these stands for them.
    private var verdicts: [Int: [[CrashDecision]: Bool]] = [:]
    var replayed: Int { lives.replayed }

    package init(
        _ failing: [[CrashDecision]], of log: StorageLog, after replay: StorageReplay,
        by search: CrashCauseSearch
    ) {
        (self.failing, self.log, self.search) = (failing, log, search)
        lives = CuredLives(of: log, on: replay.disk)
    }

    /// Finds the cures; `cause` is that of the first failing state.
    package func run(against cause: CrashCause) async throws -> Outcome {
        var outcome = Outcome(causes: [cause])
        var chosen: [SyncCure.Sync] = []
        var untried: [SyncCure.Sync] = []
        while let known = outcome.causes.last, outcome.causes.count <= Self.mostCauses {
            let candidates = SyncCure.candidates(against: known, in: log)
            // Two syncs are not the smallest cure before each of them was tried alone.
            let singles = candidates + untried.prefix(Self.mostPlaces)
            if chosen.count == 1, let single = try await single(of: singles, &outcome) {
                outcome.cures = [single]
                return outcome
            }
            var found: [(cure: SyncCure, mended: Int)] = []
            var targets: Set<SyncCure.Sync.Target> = []
            for sync in candidates {
                guard !targets.contains(sync.target) else {
                    untried.append(sync)
                    continue
                }
                let cure = SyncCure(syncs: chosen + [sync])
                guard try await !fails(known.decisions, with: cure) else {
                    outcome.others += 1
                    continue
                }
                targets.insert(sync.target)
                found.append((cure, try await mended(by: cure)))
            }
            let all = found.filter { $0.mended == failing.count }
            outcome.others += found.count - all.count
            if !all.isEmpty {
                outcome.cures = all.map(\.cure)
                outcome.isSmallest =
                    chosen.isEmpty || chosen.count == 1 && untried.count <= Self.mostPlaces
                return outcome
            }
            guard let best = found.max(by: { $0.mended < $1.mended }) else { return outcome }
            chosen = best.cure.syncs
            guard let next = try await self.cause(with: best.cure) else { return outcome }
            outcome.causes.append(next)
        }
        return outcome
    }

    /// The first of some syncs that mends every failing state alone.
    private func single(
        of syncs: [SyncCure.Sync], _ outcome: inout Outcome
    ) async throws -> SyncCure? {
        for sync in syncs {
            let cure = SyncCure(syncs: [sync])
            if try await mended(by: cure) == failing.count { return cure }
            outcome.others += 1
        }
        return nil
    }

    private func cause(with cure: SyncCure) async throws -> CrashCause? {
        let replay = try lives.replay(with: cure)
        let search = CrashCauseSearch(of: cure.applied(to: log), after: replay) {
            try await self.search.fails($0)
        }
        for state in failing { if let cause = try await search.cause(of: state) { return cause } }
        return nil
    }

    private func mended(by cure: SyncCure) async throws -> Int {
        var count = 0
        for state in failing where try await !fails(state, with: cure) { count += 1 }
        return count
    }

    /// Whether a state does not pass; one of which nothing is told does not.
    private func fails(_ state: [CrashDecision], with cure: SyncCure) async throws -> Bool {
        let life = lives.syncs(of: cure).hashValue
        if let known = verdicts[life]?[state] { return known }
        let fails = try await !search.passes(lives.replay(with: cure).state(deciding: state))
        verdicts[life, default: [:]][state] = fails
        return fails
    }
}
