package import RigModel
internal import Synchronization

/// Measures an iteration, stage by stage, each from the end of the one before.
package final class IterationStopwatch: Sendable {
    private struct State {
        var last: ContinuousClock.Instant
        var stages: [IterationStage: Double] = [:]
        var overlapped: [OverlappedWork: Double] = [:]
    }

    private let plan: PlannedIteration
    private let now: @Sendable () -> ContinuousClock.Instant
    private let state: Mutex<State>

    package init(
        of plan: PlannedIteration, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        (self.plan, self.now) = (plan, now)
        state = Mutex(State(last: now()))
    }

    package func lap(_ stage: IterationStage) { lap(stage, at: now()) }

    /// Ends a stage at a moment that was recorded elsewhere; one before the end of the last stage
    /// leaves no time for it, and one that did not come leaves its time to the next.
    func lap(_ stage: IterationStage, at moment: ContinuousClock.Instant?) {
        guard let moment else { return }
        state.withLock { state in
            let seconds = moment > state.last ? (moment - state.last).seconds : 0
            state.stages[stage, default: 0] += seconds
            state.last = max(state.last, moment)
        }
    }

    /// Continues from now: what has passed since the last stage is not part of the iteration.
    package func skip() {
        let now = now()
        state.withLock { $0.last = now }
    }

    func beside<Value>(_ work: OverlappedWork, do body: () throws -> Value) rethrows -> Value {
        let began = now()
        defer {
            let seconds = (now() - began).seconds
            state.withLock { $0.overlapped[work, default: 0] += seconds }
        }
        return try body()
    }

    package var timings: IterationTimings {
        let state = state.withLock { $0 }
        return IterationTimings(
            iteration: plan.iteration, policy: plan.policy.name, stages: state.stages,
            overlapped: state.overlapped)
    }

    func lap(struck launch: Launch) {
        let seen = launch.seen
        lap(.spawn, at: seen.launched)
        lap(.connect, at: seen.moment(seen.firstByte))
        lap(.download, at: seen.moment(seen.killSeconds))
        lap(seen.sent ? .kill : .download, at: launch.ended)
    }

    func lap(relaunched seen: Milestones) {
        lap(.relaunch, at: seen.launched)
        lap(.recover, at: seen.moment(seen.recovered))
        lap(.resume, at: seen.moment(seen.firstByte))
        lap(.complete)
    }
}
