internal import RigLab
internal import RigModel
internal import RigVerdict
internal import StorageModel
internal import Synchronization

/// Finds the smallest cause and its cures in the first recorded life that fails as a kill of the run
/// has: other states of that life are put in its place, and judged, without another life.
final class CauseExplorer: CrashExplorer {
    struct Finding: Sendable {
        let log: StorageLog
        let calls: [Int: (name: String, places: [StackPlace])]
        let outcome: CureSearch.Outcome
        let failing: Int
        let probes: (all: Int, undecided: Int)
        let unsynced: [UnsyncedFileFacts]
    }

    /// How many states are drawn until one fails, and how many more for the cures.
    private static let (mostStates, moreStates) = (64, 16)

    private let checkers: Set<Checker>
    private let states: Int
    private let found = Mutex<Finding?>(nil)
    private let hindrance = Mutex<String?>(nil)

    var finding: Finding? { found.withLock { $0 } }
    /// Why a life could not be explored; nil for nothing but that none failed.
    var complaint: String? { hindrance.withLock { $0 } }

    /// An explorer of the lives of a kill, of which the run tried so many states.
    init(of kill: StoredKill, states: Int) {
        checkers = Set(kill.checkers)
        self.states = max(states, Self.mostStates)
    }

    func explore(_ life: RecordedLife) async throws {
        guard finding == nil else { return }
        if let unseen = life.states.unseen.first {
            return hindrance.withLock { $0 = "it made \(unseen), which the record lacks" }
        }
        let replay = try StorageReplay(of: life.log, on: life.disk)
        let search = CrashCauseSearch(of: life.log, after: replay) { image in
            Self.fails(try await life.judged(image), by: self.checkers)
        }
        let failing = try await failing(of: life, replay, search)
        guard let first = failing.first, let cause = try await search.cause(of: first) else {
            return
        }
        let cures = CureSearch(failing, of: life.log, after: replay, by: search)
        let outcome = try await cures.run(against: cause)
        let finding = Finding(
            log: life.log, calls: life.calls, outcome: outcome, failing: failing.count,
            probes: (search.probes, search.undecided), unsynced: life.states.unsyncedFiles)
        found.withLock { $0 = finding }
    }

    /// Failing states, by their decisions: of the run's choice, or that lack one operation.
    private func failing(
        of life: RecordedLife, _ replay: StorageReplay, _ search: CrashCauseSearch
    ) async throws -> [[CrashDecision]] {
        // In the run's order, which the places decide, or the failing state may lie beyond `left`.
        var tried = CrashStates(
            after: replay, seed: life.states.seed, life.states.choice,
            places: life.calls.mapValues(\.places))
        var failing: [[CrashDecision]] = []
        var left = states
        while left > 0, let image = tried.next() {
            left -= 1
            guard try await search.fails(image), let decisions = tried.decisions else { continue }
            if failing.isEmpty { left = min(left, Self.moreStates) }
            failing.append(decisions)
        }
        guard failing.isEmpty else { return failing }
        for operation in replay.unsynced.suffix(Self.mostStates).reversed() {
            let image = replay.state(deciding: operation.omission)
            if try await search.fails(image) { return [operation.omission] }
        }
        return []
    }

    /// Whether the failure shows; nil where nothing is told, or another one shows.
    private static func fails(_ kills: [IterationEvidence], by checkers: Set<Checker>) -> Bool? {
        let judged = kills.map { Judge.judge($0) }
        let found = Set(judged.flatMap(\.findings).map(\.checker))
        if judged.contains(where: { $0.verdict == .fail }), !found.isDisjoint(with: checkers) {
            return true
        }
        return judged.allSatisfy { $0.verdict == .pass } ? false : nil
    }
}
