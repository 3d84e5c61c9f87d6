/// A stage of an iteration: they are consecutive, make it up together, and cover all its attempts.
package enum IterationStage: String, Sendable, Hashable, CaseIterable {
    /// Creates folder, address and page, with a launch before the kill's if needed.
    case prepare
    /// Starts the worker, until its process exists.
    case spawn
    /// From there until the worker's first byte has left the socket.
    case connect
    /// From the first byte to the kill, including the planned delay.
    case download
    /// Stops the worker, reads its sockets, kills it and reaps it.
    case kill
    /// Makes sure that nothing of the life is left, and reads its final figures.
    case clear
    /// Copies the state as the kill left it.
    case copy
    /// Starts the worker again, until its process exists.
    case relaunch
    /// From there until the relaunched worker knows what it has stored.
    case recover
    /// From there until its first new byte.
    case resume
    /// From there until it has ended and nothing of it is left.
    case complete
    /// The worker writes the completed video out.
    case export
    /// Compares the completed video with the origin's, byte by byte.
    case compare
    /// Opens and checks the copied state, as far as the iteration waits for it.
    case autopsy
    /// Judges, writes the row, and keeps evidence where needed.
    case judge
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
    /// The 90th percentile, by nearest rank.
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
