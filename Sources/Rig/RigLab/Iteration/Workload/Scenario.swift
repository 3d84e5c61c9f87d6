internal import RigModel

/// One workload: what the worker does, and how an iteration of it is carried out.
protocol Scenario: Sendable {
    /// An unharmed run, from its first byte to its end.
    ///
    /// It gives the unit of the `time` trigger, if that is the same for every iteration of a
    /// policy.
    ///
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work.
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun

    /// The number of calls in an unharmed run that change or sync files below the worker's state
    /// folder: the kill points of the `syscall` trigger.
    ///
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work, 64 when
    ///   the workload does not support kills at calls.
    func countedCalls(_ plan: PlannedIteration) async throws -> CallCount

    /// Looks at what an unharmed launch leaves in its state folder; nil without such a launch.
    ///
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work.
    func unharmedState(
        _ plan: PlannedIteration, _ look: (String) -> [String]
    ) async throws -> [String]?

    /// Tries what judges the work, before the first kill; returns what the user should know of it.
    ///
    /// - Throws: ``RigError`` with exit code 69 when it does not judge as it must.
    func trial(_ plan: PlannedIteration) async throws -> [String]

    /// True if iterations differ in length, so that each is measured by itself.
    var isMeasuredEachTime: Bool { get }

    /// Launches, kills, examines, relaunches and compares.
    ///
    /// - Throws: ``Interrupted``; ``RigError`` when the rig or the worker cannot go on.
    func perform(
        _ plan: PlannedIteration, pace: UninterruptedPace, stopwatch: IterationStopwatch
    ) async throws -> IterationOutcome
}

extension Scenario {
    var isMeasuredEachTime: Bool { false }

    func unharmedState(
        _ plan: PlannedIteration, _ look: (String) -> [String]
    ) async throws -> [String]? { nil }

    /// Nothing: the rig judges by itself.
    func trial(_ plan: PlannedIteration) async throws -> [String] { [] }

    func countedCalls(_ plan: PlannedIteration) async throws -> CallCount {
        throw RigError(.usage, "--trigger syscall goes with --workload download only; use that")
    }
}
