internal import Dispatch
internal import Fixture
package import FixtureOrigin
package import RigModel

/// Carries out iterations: launches, kills, inspects, relaunches, compares; it judges nothing.
package final class Laboratory: Sendable {
    let scenario: any Scenario
    /// True when the worker must do its work unharmed before it is killed.
    package var holdsWorkerToItsWork: Bool { scenario.settings.worker.isHeldToItsWork }
    let knowledge: WorkerKnowledge
    private let room: DiskRoom
    private let discarding = DispatchQueue(label: "rig.discarding")

    /// A laboratory whose origin is already listening; a launch that no kill has ended and that is
    /// not sound is the iteration's row, and the iteration is not started again.
    package init(
        settings: LaboratorySettings, origin: FixtureOrigin, interruption: Interruption,
        knowledge: WorkerKnowledge = WorkerKnowledge(), room: DiskRoom? = nil,
        isSound: @escaping @Sendable (IterationEvidence) -> Bool
    ) {
        self.knowledge = knowledge
        self.room = room ?? DiskRoom(served: settings.served)
        let context = IterationContext(
            settings: settings, origin: origin, interruption: Interruption(within: interruption),
            phases: knowledge.phases, isSound: isSound)
        scenario =
            switch settings.workload {
            case .download: DownloadScenario(context: context)
            case .playback, .switching, .twoPlayers: PlayerScenario(context: context)
            case .offlineLibrary: LibraryScenario(context: context)
            case .check: CheckScenario(context: context, knowledge: knowledge.program)
            }
    }

    var isSound: @Sendable (IterationEvidence) -> Bool { scenario.context.isSound }

    /// Aborts the iteration in progress, and every later one, by ``Interrupted``.
    func abandon() { scenario.context.interruption.raise() }

    /// Measures how many seconds an unharmed worker takes from its first byte to its end, the unit
    /// of the `time` trigger, in at most 3 s and the one run begun then.
    ///
    /// The run goes on measuring, and the median of the latest counts. Where each iteration takes a
    /// different time, this only checks whether the worker can do its work at all.
    @discardableResult
    package func measureUninterrupted(
        _ policy: Policy, runs: Int = WorkerKnowledge.latestRuns
    ) async throws -> Double {
        let began = ContinuousClock.now
        for _ in 0..<(scenario.isMeasuredEachTime ? 1 : runs) {
            knowledge.remember(try await unharmedRun(policy), of: policy)
            if (ContinuousClock.now - began).seconds > 3 { break }
        }
        return knowledge.pace(of: policy).seconds
    }

    /// Measures how many seconds each of some unharmed workers takes to its first byte.
    package func measureStarts(_ policy: Policy, launches: Int) async throws -> [Double] {
        var starts: [Double] = []
        for _ in 0..<launches {
            if let start = try await unharmedRun(policy).startSeconds { starts.append(start) }
        }
        return starts
    }

    func unharmedRun(_ policy: Policy) async throws -> UninterruptedRun {
        try await withoutKill { try await scenario.uninterruptedRun(Self.unharmed(policy)) }
    }

    static func unharmed(_ policy: Policy) -> PlannedIteration {
        KillPlan(seed: 0, iterations: 1, policies: [policy], trigger: .time, videoLength: 3)
            .iteration(1, policy: policy)
    }

    /// Counts how often an unharmed worker enters each phase, in runs that differ as iterations do.
    package func countPhases(_ policy: Policy, runs: Int = 3) async throws {
        let plan = KillPlan(
            seed: 0, iterations: runs, policies: [policy], trigger: .time, videoLength: 3)
        for planned in plan.schedule {
            _ = try await withoutKill { try await scenario.uninterruptedRun(planned) }
        }
    }

    private static let mostAttempts = 4
    /// How often an iteration is started whose launch was over before its timed kill: if half of
    /// them are, one iteration in thirty-two is left, and where all are, the results must show it.
    private static let mostTimedAttempts = 5
    /// The same for a kill after the last byte: a millisecond or two may be left of a launch then.
    private static let mostEndingAttempts = 10

    package func perform(_ plan: PlannedIteration) async throws -> IterationOutcome {
        let watch = try room.take(in: scenario.settings.scratch, kills: plan.kills.count)
        let outcome = try await inRoom(watch) { try await performed(plan) }
        if let loss = outcome.folder.loss { throw loss }
        guard !outcome.kills.allSatisfy(isSound),
            let shortage = watch.shortage(used: outcome.folder.bytesOfDisk)
        else { return outcome }
        discard(outcome)
        throw shortage
    }

    /// Performs work without a kill, in which a failing worker ends the run.
    func withoutKill<Value>(_ work: () async throws -> Value) async throws -> Value {
        try await inRoom(room.take(in: scenario.settings.scratch, kills: 1)) {
            do {
                return try await work()
            } catch let failure as UninterruptedFailure {
                throw failure.error
            }
        }
    }

    /// Performs work that fails for lack of room where there was none, whatever its error says.
    private func inRoom<Value>(
        _ watch: DiskRoom.Watch, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch let error
            where !(error is Interrupted) && (error as? RigError)?.isOfLeftover != true
        {
            throw watch.shortage(used: 0) ?? error
        }
    }

    private func performed(_ plan: PlannedIteration) async throws -> IterationOutcome {
        let stopwatch = IterationStopwatch(of: plan)
        try await measureRecovery(plan)
        var (pace, failed) = try await pace(of: plan)
        var attempts = 0
        var lives = 0
        while true {
            var outcome = try await untilItsCall(
                plan, pace: pace, stopwatch: stopwatch, lives: &lives)
            attempts += 1
            knowledge.learn(from: outcome.kills.first)
            knowledge.remember(
                recoveries: outcome.recoveries, endings: outcome.endings, of: plan.policy)
            guard isToBeBegunAnew(outcome, after: attempts) else {
                outcome.kills[0].livesBegun = lives
                // The measurement failed, so the row shows how that life ended.
                if let failed { outcome.kills[0].lives.append(failed) }
                return outcome
            }
            discard(outcome)
            let missed = outcome.kills.contains {
                $0.kill == 1 && $0.wasMissed && $0.planned.isTimed
                    // The launch that was too quick has shown how long an end takes.
                    && $0.planned.endingShare == nil
            }
            if !outcome.endings.isEmpty {
                pace = knowledge.pace(of: plan.policy)
                // A signal takes a part of a short end to arrive.
                pace.bringEndForward(by: Double(attempts) / Double(Self.mostEndingAttempts))
            }
            if missed, failed == nil {
                knowledge.doubtPace(of: plan.policy)
                (pace, failed) = try await self.pace(of: plan)
            }
        }
    }

    /// True where the planned moment did not come, which is not the worker's fault, and still may.
    private func isToBeBegunAnew(_ outcome: IterationOutcome, after attempts: Int) -> Bool {
        guard outcome.kills.allSatisfy(isSound) else { return false }
        // It goes on after that call each time, and leaves nothing for the kills after it.
        if outcome.kills[0].failedCall != nil, outcome.kills[0].death == .exited(0) { return false }
        if outcome.kills.contains(where: \.wasMissed) {
            let isOfEnd = outcome.kills.contains { $0.planned.endingShare != nil }
            return attempts < (isOfEnd ? Self.mostEndingAttempts : Self.mostTimedAttempts)
        }
        return attempts < Self.mostAttempts && knowledge.phases.learn(from: outcome)
    }

    /// What is known of uninterrupted runs, measured as near to the kill as possible.
    func pace(of plan: PlannedIteration) async throws -> (UninterruptedPace, failed: LifeEnd?) {
        let isAlone = scenario.isMeasuredEachTime
        func alone(_ runs: [UninterruptedRun]) -> UninterruptedPace {
            UninterruptedPace(runs, recoveries: knowledge.recoveries(of: plan.policy))
        }
        let known = isAlone ? alone([]) : knowledge.pace(of: plan.policy)
        guard plan.kills.contains(where: \.isTimed),
            isAlone || knowledge.isMeasurementDue(of: plan.policy)
        else { return (known, nil) }
        do {
            let run = try await scenario.uninterruptedRun(plan)
            // Other laboratories may have seen recoveries meanwhile.
            if isAlone { return (alone([run]), nil) }
            knowledge.remember(run, of: plan.policy)
            return (knowledge.pace(of: plan.policy), nil)
        } catch let failure as UninterruptedFailure {
            return (known, failure.end)
        }
    }

    /// Measures a first recovery where kills are planned in recoveries, by the policy's first kill,
    /// of which nothing is judged; from then on iterations measure them as the machine changes.
    func measureRecovery(_ plan: PlannedIteration) async throws {
        guard plan.kills.contains(where: { $0.recoveryShare != nil }),
            knowledge.recoveries(of: plan.policy).isEmpty
        else { return }
        let single = PlannedIteration(
            iteration: plan.iteration, policy: plan.policy, kills: [plan.first], seed: plan.seed)
        let pace = try await pace(of: single).0
        let outcome = try await scenario.perform(
            single, pace: pace, stopwatch: IterationStopwatch(of: single))
        knowledge.remember(recoveries: outcome.recoveries, of: plan.policy)
        discard(outcome)
    }

    /// Removes an iteration's files in the background, so that the next iteration need not wait.
    package func discard(_ outcome: IterationOutcome) {
        discarding.async { outcome.stopwatch.beside(.cleanUp) { outcome.folder.remove() } }
    }

    func settle() async {
        await withCheckedContinuation { continuation in discarding.async { continuation.resume() } }
    }
}
