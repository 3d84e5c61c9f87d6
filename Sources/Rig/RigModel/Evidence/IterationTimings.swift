/// A stage of an iteration: they are consecutive, make it up together, and cover all its attempts.
///
/// docs/reading-results.md says what each is.
package enum IterationStage: String, Sendable, Hashable, CaseIterable {
    case prepare, spawn, connect, download, kill, clear, copy
    case relaunch, recover, resume, complete, export, compare, autopsy, judge
}

/// Work that overlaps an iteration's stages and is not part of their sum.
package enum OverlappedWork: String, Sendable, Hashable, CaseIterable {
    /// The whole autopsy, when it ran in parallel with the worker.
    case autopsy
    case cleanUp = "clean_up"
}

package struct IterationTimings: Sendable, Hashable {
    package let iteration: Int
    package let policy: String
    /// The duration of each stage; a stage that did not occur is missing.
    private let stages: [IterationStage: Double]
    private let overlapped: [OverlappedWork: Double]

    package init(
        iteration: Int, policy: String, stages: [IterationStage: Double],
        overlapped: [OverlappedWork: Double] = [:]
    ) {
        (self.iteration, self.policy, self.stages) = (iteration, policy, stages)
        self.overlapped = overlapped
    }

    package var total: Double {
        // In a fixed order: a sum of floating-point numbers depends on it.
        IterationStage.allCases.reduce(0) { $0 + (stages[$1] ?? 0) }
    }

    package func seconds(_ stage: IterationStage) -> Double? { stages[stage] }
    package func seconds(beside work: OverlappedWork) -> Double? { overlapped[work] }
}

/// The duration of a stage, or of work beside the stages, over a whole run.
package struct StageSummary: Sendable, Hashable {
    /// The stage's name, as in the columns of `timings.csv`.
    package let name: String
    package let total: Double
    /// The share of the iterations' time, 0 to 1; nil for work beside the stages.
    package let share: Double?
    package let median: Double
    package let p90: Double
    package let max: Double

    package init(
        name: String, total: Double, share: Double?, median: Double, p90: Double, max: Double
    ) {
        (self.name, self.total, self.share, self.median) = (name, total, share, median)
        (self.p90, self.max) = (p90, max)
    }
}

package struct RunTimings: Sendable {
    package let iterations: [IterationTimings]
    /// Seconds until the last iteration's files were removed, preparation and all.
    package let elapsed: Double
    package let rigProcessor: Double
    /// Processor time of ended workers, and of the few other programs that the rig started.
    package let workerProcessor: Double

    package init(
        iterations: [IterationTimings], elapsed: Double, rigProcessor: Double,
        workerProcessor: Double
    ) {
        (self.iterations, self.elapsed, self.rigProcessor) = (iterations, elapsed, rigProcessor)
        self.workerProcessor = workerProcessor
    }
}
