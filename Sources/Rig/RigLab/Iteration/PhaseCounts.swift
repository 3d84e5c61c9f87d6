internal import RigModel
internal import Synchronization

/// How often each policy's workers enter each phase, at least: so often it will come again.
final class PhaseCounts: Sendable {
    private let least = Mutex<[Policy: [Phase: Int]]>([:])

    func note(_ entries: [Phase: Int]?, of policy: Policy) {
        guard let entries else { return }
        least.withLock { $0[policy, default: entries].merge(entries, uniquingKeysWith: min) }
    }

    /// Where a kill, whose position chooses the entry, holds its worker; nil for other kills.
    func hold(for planned: PlannedKill, of policy: Policy, workload: Workload) -> PhaseHold? {
        guard let phase = planned.trigger.phase else { return nil }
        // A phase before the first byte is entered once in a life.
        guard planned.kill == 1, !workload.needsEarlierLife(phase) else {
            return PhaseHold(phase: phase, entry: 1)
        }
        let telling = workload.firstTellingEntry(of: phase)
        let count = least.withLock { $0[policy]?[phase] } ?? telling
        let first = max(1, min(telling, count))
        let choices = max(1, count - first + 1)
        let choice = min(Int(planned.position * Double(choices)), choices - 1)
        return PhaseHold(phase: phase, entry: first + choice)
    }

    /// Learns from an iteration in which the planned entry of a phase did not come; true when it
    /// can start again, as an earlier entry can be used and nothing has to be judged.
    func learn(from outcome: IterationOutcome) -> Bool {
        guard outcome.kills.count == 1, let evidence = outcome.kills.first, evidence.isUneventful,
            !evidence.killSent,
            case .phase(let phase) = evidence.planned.trigger,
            let entries = evidence.witness?.entries, let count = entries[phase], count > 0
        else { return false }
        note(entries, of: evidence.plan.policy)
        return true
    }
}
