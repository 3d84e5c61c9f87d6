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
        /// Seconds from first byte to end of the latest, in their order.
        var latest: [Double] = []
        /// The kills by the clock since the last of them.
        var killsSince = 0
    }

    /// How many uninterrupted runs the median is taken of.
    package static let latestRuns = 7
    /// The kills by the clock between two measurements: a machine that has become half as fast is
    /// followed after some sixteen of them, and one measurement costs a third of an iteration.
    static let killsBetween = 4

    /// Nothing is known yet.
    package init() {}

    /// Seconds of the median of the latest uninterrupted runs; infinite when none was seen.
    func uninterruptedSeconds(of policy: Policy) -> Double {
        let latest = measured.withLock { $0[policy]?.latest.sorted() } ?? []
        return latest.isEmpty ? .infinity : latest[latest.count / 2]
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

    /// Remembers an uninterrupted run.
    func remember(_ seconds: Double, of policy: Policy) {
        measured.withLock { measured in
            var runs = measured[policy] ?? Measured()
            runs.latest = (runs.latest + [seconds]).suffix(Self.latestRuns)
            runs.killsSince = 0
            measured[policy] = runs
        }
    }
}
