package import RigModel

/// One workload: what the worker does, and how an iteration of it is carried out.
protocol Scenario: Sendable {
    var context: IterationContext { get }

    /// An unharmed run, from its first byte to its end: the unit of the `time` trigger.
    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun

    /// An unharmed run, its calls followed where that is asked for, and what `body` makes of it.
    func unharmed<Value>(
        _ plan: PlannedIteration, followed: Tracing.Followed?, then body: Unharmed<Value>
    ) async throws -> Value

    /// Tries what judges the work, before the first kill; returns what the user should know of it.
    func trial(_ plan: PlannedIteration) async throws -> [String]

    /// True if iterations differ in length, so that each is measured by itself.
    var isMeasuredEachTime: Bool { get }

    func makeFolder(_ number: Int) async throws -> IterationFolder

    /// A launch that does a part of the work before a kill that needs that (T12).
    func earlierLife(_ iteration: Iteration) async throws -> EarlierLife?

    func launchAndKill(_ planned: PlannedKill, in iteration: Iteration) async throws -> KilledRun

    /// Looks at what a kill has left, of which there is a copy by now, before the next launch.
    func examine(_ life: inout KilledRun, in iteration: Iteration) async throws

    func conclude(
        _ lives: [KilledRun], after earlier: EarlierLife?, in iteration: Iteration
    ) async throws -> Chain
}

typealias Unharmed<Value> = (UninterruptedRun, IterationFolder, Tracing?) async throws -> Value

struct Iteration: Sendable {
    let plan: PlannedIteration
    let pace: UninterruptedPace
    let stopwatch: IterationStopwatch
    /// No other launch's addresses have this number.
    let number: Int
    let folder: IterationFolder
}

extension Scenario {
    var settings: LaboratorySettings { context.settings }

    func perform(
        _ plan: PlannedIteration, pace: UninterruptedPace, stopwatch: IterationStopwatch
    ) async throws -> IterationOutcome {
        let number = context.newNumber()
        let folder = try await makeFolder(number)
        let iteration = Iteration(
            plan: plan, pace: pace, stopwatch: stopwatch, number: number, folder: folder)
        let earlier =
            settings.workload.needsEarlierLife(plan) ? try await earlierLife(iteration) : nil
        var lives: [KilledRun] = []
        for planned in plan.kills {
            var life = try await launchAndKill(planned, in: iteration)
            try folder.keepState(ofKill: planned.kill)
            stopwatch.lap(.copy)
            try await examine(&life, in: iteration)
            lives.append(life)
        }
        let killed = lives
        func concluded() async throws -> Chain {
            try await conclude(killed, after: earlier, in: iteration)
        }
        let chain = try await concluded()
        let kills = try await context.others(
            than: chain.evidence, among: killed[0].states, in: folder
        ) { try await concluded().evidence }
        return IterationOutcome(
            kills: kills, folder: folder, stopwatch: stopwatch, recoveries: chain.recoveries,
            // A signal that found the worker in its exit came too late as well.
            endings: killed.filter { $0.death == .exited(0) }
                .compactMap(\.seen.endingSeconds))
    }
}

extension Scenario {
    var isMeasuredEachTime: Bool { false }
    func makeFolder(_ number: Int) async throws -> IterationFolder { try context.newFolder(number) }
    func earlierLife(_ iteration: Iteration) async throws -> EarlierLife? { nil }
    func examine(_ life: inout KilledRun, in iteration: Iteration) async throws {}
    func trial(_ plan: PlannedIteration) async throws -> [String] { [] }

    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun {
        try await unharmed(plan, followed: nil) { run, _, _ in run }
    }

    func unharmed<Value>(
        _ plan: PlannedIteration, followed: Tracing.Followed?, then body: Unharmed<Value>
    ) async throws -> Value {
        throw RigError(.usage, "--trigger syscall goes with --workload download only; use that")
    }
}

package struct IterationOutcome: Sendable {
    package var kills: [IterationEvidence]
    /// The files that the evidence rests on, until they are discarded.
    package let folder: IterationFolder
    package let stopwatch: IterationStopwatch
    /// How long the recoveries took that no kill ended, in seconds.
    var recoveries: [Double] = []
    /// How long the ends took that came before a kill at the end, in seconds.
    var endings: [Double] = []
}
