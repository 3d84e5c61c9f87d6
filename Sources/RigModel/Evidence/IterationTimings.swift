/// A stretch of an iteration; the stages follow one another, and together they are the iteration.
///
/// Where a kill did not come about as planned and the iteration was carried out again, its stages
/// are those of all attempts.
package enum IterationStage: String, Sendable, Hashable, CaseIterable {
    /// Makes folder, address and page; a first life or an uninterrupted run where a kill needs one.
    case prepare
    /// Starts the worker, until its process is there.
    case spawn
    /// The worker begins, until its first byte has left the socket.
    case connect
    /// From the first byte to the moment of the kill, the planned delay included.
    case download
    /// Stops the worker, reads its sockets, kills it and reaps it.
    case kill
    /// Makes sure that nothing of the life is left, and reads its last figures.
    case clear
    /// Copies the state as the kill left it.
    case copy
    /// Starts the worker again, until its process is there.
    case relaunch
    /// The relaunched worker begins, until it knows what it has.
    case recover
    /// From there to its first new byte.
    case resume
    /// From there until it has ended and nothing of it is left.
    case complete
    /// The worker writes the completed video out.
    case export
    /// Compares the completed video with the origin's, byte by byte.
    case compare
    /// Opens and checks the copied state, as far as the iteration waited for it.
    case autopsy
    /// Judges and writes the row, and keeps evidence where it is needed.
    case judge
}

/// Work that goes on beside an iteration's stages and is no part of their sum.
package enum OverlappedWork: String, Sendable, Hashable, CaseIterable {
    /// The whole of the autopsy, where it ran while the worker went on.
    case autopsy
    /// Removes the iteration's files.
    case cleanUp = "clean_up"
}

/// Where the time of one iteration went, in seconds.
package struct IterationTimings: Sendable, Hashable {
    /// The iteration's number, from 1.
    package let iteration: Int
    /// The name of its policy.
    package let policy: String
    /// What each stage took; a stage that did not come is missing.
    private let stages: [IterationStage: Double]
    private let overlapped: [OverlappedWork: Double]

    /// Timings of an iteration.
    ///
    /// - Parameters:
    ///   - iteration: its number.
    ///   - policy: the name of its policy.
    ///   - stages: what each stage took; together they are the whole.
    ///   - overlapped: what went on meanwhile.
    package init(
        iteration: Int, policy: String, stages: [IterationStage: Double],
        overlapped: [OverlappedWork: Double] = [:]
    ) {
        self.iteration = iteration
        self.policy = policy
        self.stages = stages
        self.overlapped = overlapped
    }

    /// The whole of it.
    package var total: Double {
        // In their order: sums of fractions depend on it.
        IterationStage.allCases.reduce(0) { $0 + (stages[$1] ?? 0) }
    }

    /// What a stage took; nil for one that did not come.
    package func seconds(_ stage: IterationStage) -> Double? { stages[stage] }

    /// What some work took that went on meanwhile; nil where there was none.
    package func seconds(beside work: OverlappedWork) -> Double? { overlapped[work] }
}

/// What a stage, or work beside the stages, took over a whole run.
package struct StageSummary: Sendable, Hashable {
    /// The stage's name, as the columns of `timings.csv` have it.
    package let name: String
    /// Over all iterations.
    package let total: Double
    /// The share of the iterations' time, 0 to 1; nil for what went on beside the stages.
    package let share: Double?
    /// The middle one of the iterations in which it came.
    package let median: Double
    /// The 90th percentile by nearest rank.
    package let p90: Double
    /// The longest.
    package let max: Double

    /// A summary.
    package init(
        name: String, total: Double, share: Double?, median: Double, p90: Double, max: Double
    ) {
        self.name = name
        self.total = total
        self.share = share
        self.median = median
        self.p90 = p90
        self.max = max
    }
}

/// Where the time of a run went.
package struct RunTimings: Sendable {
    /// One for each iteration that came to its end, in the plan's order.
    package let iterations: [IterationTimings]
    /// Seconds from before the stage was set until the last iteration's files were removed.
    ///
    /// Uninterrupted runs that come before the iterations are part of it; several iterations at once
    /// can make it less than the sum of them.
    package let elapsed: Double
    /// Processor time of the rig itself, the origin among it.
    package let rigProcessor: Double
    /// Processor time of workers that have ended, and of the few other programs that the rig started.
    package let workerProcessor: Double

    /// Timings of a run.
    package init(
        iterations: [IterationTimings], elapsed: Double, rigProcessor: Double,
        workerProcessor: Double
    ) {
        self.iterations = iterations
        self.elapsed = elapsed
        self.rigProcessor = rigProcessor
        self.workerProcessor = workerProcessor
    }
}
