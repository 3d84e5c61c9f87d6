internal import RigModel
internal import Synchronization

/// What a run has learned of its worker: how long it takes when nothing harms it, and how often it
/// is in each phase.
///
/// The laboratories of a run share it.
package final class WorkerKnowledge: Sendable {
    let phases = PhaseCounts()
    private let measured = Mutex<[Policy: Measured]>([:])

    /// The uninterrupted runs of a policy.
    private struct Measured {
        /// The latest, in their order.
        var latest: [UnharmedRun] = []
        /// The kills by the clock since the last of them.
        var killsSince = 0
    }

    /// How many uninterrupted runs the median is taken of.
    package static let latestRuns = 7
    /// The kills by the clock between two measurements: a machine that has become half as fast is
    /// followed after some sixteen of them, and one measurement costs a third of an iteration.
    static let killsBetween = 4
    /// How far from its plan a kill has landed after which nothing waits for the fourth, in parts of
    /// an uninterrupted run: further than most kills on a machine that stays as fast as it is.
    static let farFromPlan = 0.2

    /// Nothing is known yet.
    package init() {}

    /// What kills of a policy are timed by.
    func pace(of policy: Policy) -> UnharmedPace {
        UnharmedPace(measured.withLock { $0[policy]?.latest ?? [] })
    }

    /// Notes that a kill by the clock is about to come.
    ///
    /// - Returns: true where an uninterrupted run should be measured first.
    func isMeasurementDue(of policy: Policy) -> Bool {
        measured.withLock { measured in
            measured[policy, default: Measured()].killsSince += 1
            return measured[policy, default: Measured()].killsSince > Self.killsBetween
        }
    }

    /// Learns from a kill by the clock: where it landed far from its plan, the next one is measured
    /// for.
    func learn(from kill: IterationEvidence?) {
        guard let kill, case .time(let planned) = kill.planned.trigger,
            let progress = kill.killProgress, abs(progress - planned) > Self.farFromPlan
        else { return }
        measured.withLock {
            $0[kill.plan.policy, default: Measured()].killsSince = Self.killsBetween
        }
    }

    /// Remembers an uninterrupted run.
    func remember(_ run: UnharmedRun, of policy: Policy) {
        measured.withLock { measured in
            var runs = measured[policy] ?? Measured()
            runs.latest = (runs.latest + [run]).suffix(Self.latestRuns)
            runs.killsSince = 0
            measured[policy] = runs
        }
    }
}
