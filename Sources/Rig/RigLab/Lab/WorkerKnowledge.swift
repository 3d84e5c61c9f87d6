internal import RigModel
internal import Synchronization

/// What a run's laboratories have learned about its worker.
package final class WorkerKnowledge: Sendable {
    let phases = PhaseCounts()
    let program = ProgramKnowledge()
    private let measured = Mutex<[Policy: Measured]>([:])

    private struct Measured {
        var latest: [UninterruptedRun] = []
        /// The latest recoveries of relaunches that were not killed, in seconds.
        var recoveries: [Double] = []
        /// The latest ends that came before a kill at the end, in seconds from the last byte.
        var endings: [Double] = []
        var killsSince = 0
    }

    /// How many uninterrupted runs the median is taken of.
    package static let latestRuns = 7
    /// The timed kills between two measurements: a machine that has become half as fast is followed
    /// after some sixteen of them, and one measurement costs a third of an iteration.
    static let killsBetween = 4
    /// How far from its plan a kill must land to cause a measurement before the next one, as a
    /// fraction of an uninterrupted run: further than most kills on a machine of constant speed.
    static let farFromPlan = 0.2

    package init() {}

    func pace(of policy: Policy) -> UninterruptedPace {
        let known = measured.withLock { $0[policy] } ?? Measured()
        return UninterruptedPace(known.latest, recoveries: known.recoveries, endings: known.endings)
    }

    func recoveries(of policy: Policy) -> [Double] {
        measured.withLock { $0[policy]?.recoveries ?? [] }
    }

    /// Records recoveries and ends that were not killed, in seconds, in order.
    func remember(recoveries: [Double], endings: [Double] = [], of policy: Policy) {
        change(policy) {
            $0.recoveries = ($0.recoveries + recoveries).suffix(RecoveryPace.latest)
            $0.endings = ($0.endings + endings).suffix(Self.latestRuns)
        }
    }

    /// Records that a timed kill comes; true where an uninterrupted run should be measured before.
    func isMeasurementDue(of policy: Policy) -> Bool {
        // Another laboratory's kill must not come between the two.
        change(policy) {
            $0.killsSince += 1
            return $0.killsSince > Self.killsBetween
        }
    }

    /// Learns from a timed kill: one far from its plan brings a measurement before the next.
    func learn(from kill: IterationEvidence?) {
        guard let kill, case .time(let planned) = kill.planned.trigger,
            let progress = kill.killProgress, abs(progress - planned) > Self.farFromPlan
        else { return }
        change(kill.plan.policy) { $0.killsSince = Self.killsBetween }
    }

    /// Notes that a launch was over before its timed kill: the older half of the runs no longer
    /// counts, so that two misses suffice to follow a machine that has become faster.
    func doubtPace(of policy: Policy) {
        change(policy) {
            $0.latest = $0.latest.suffix(max(1, $0.latest.count / 2))
            $0.killsSince = Self.killsBetween
        }
    }

    func remember(_ run: UninterruptedRun, of policy: Policy) {
        change(policy) {
            $0.latest = ($0.latest + [run]).suffix(Self.latestRuns)
            $0.killsSince = 0
        }
    }

    private func change<Value: Sendable>(
        _ policy: Policy, _ change: (inout Measured) -> Value
    ) -> Value {
        measured.withLock { change(&$0[policy, default: Measured()]) }
    }
}
