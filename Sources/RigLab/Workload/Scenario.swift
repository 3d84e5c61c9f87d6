internal import RigModel

/// One workload: what the worker does, and how an iteration of it is carried out.
protocol Scenario: Sendable {
    /// The unit of the `time` trigger where it is the same for every iteration of a policy: seconds
    /// from the first byte to the end of a run that nobody harms.
    ///
    /// - Throws: ``RigError`` with exit code 69 when the worker does not complete its work.
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> Double

    /// True when every iteration is a run of another length, so that each is measured by itself.
    var isMeasuredEachTime: Bool { get }

    /// Launches, kills, looks, relaunches, compares.
    ///
    /// - Parameters:
    ///   - plan: what is to happen.
    ///   - unit: seconds of an uninterrupted run; infinite when not known.
    /// - Returns: everything observed, the folder, and how long the run took, first byte to end,
    ///   when it ended before its kill.
    /// - Throws: ``Interrupted``; ``RigError`` when the rig or the worker cannot go on.
    func perform(
        _ plan: PlannedIteration, unit: Double
    ) async throws -> (outcome: IterationOutcome, shorterRun: Double?)
}

extension Scenario {
    var isMeasuredEachTime: Bool { false }
}

/// The scenario of a workload.
enum Scenarios {
    static func make(_ bench: Workbench) -> any Scenario {
        switch bench.settings.workload {
        case .download: DownloadScenario(bench: bench)
        case .playback, .switching: PlayerScenario(bench: bench)
        case .offlineLibrary: LibraryScenario(bench: bench)
        }
    }
}
