internal import Foundation
internal import RigModel
internal import StorageModel
internal import Synchronization

/// `check`: a program changes files, is killed, and a command of its user's judges what is left.
struct CheckScenario: Scenario {
    let context: IterationContext
    let knowledge: ProgramKnowledge
    /// The options make sure that there is one; without it nothing would pass.
    let check: ProgramCheck

    var settings: LaboratorySettings { context.settings }

    init(context: IterationContext, knowledge: ProgramKnowledge) {
        self.context = context
        self.knowledge = knowledge
        check = context.settings.worker.check ?? ProgramCheck("exit 2")
    }

    // MARK: The stage

    /// A folder in which the program begins, with what was prepared for it.
    func makeFolder() async throws -> IterationFolder {
        var folder = try context.newFolder(context.newNumber())
        if check.said == ProgramCheck.standardOutput { folder.standardOutput = folder.said }
        if let command = check.prepare {
            try await copy(
                try await self.folder(preparedBy: command), to: folder.state, in: folder)
            // What was there before must survive a power cut.
            if let volume = settings.volume { try VolumeMount.sync(volume.folder) }
        }
        return folder
    }

    /// The file in which the program says what it has done; nil for none.
    private func linesFile(in folder: IterationFolder) -> String? {
        guard let file = check.saidFile else { return folder.standardOutput }
        let path = Placeholders.fill(file, with: ["dir": folder.state])
        return path.hasPrefix("/") ? path : "\(folder.state)/\(path)"
    }

    /// What the program has said by now.
    private func said(in folder: IterationFolder) -> Data {
        linesFile(in: folder).flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    }

    /// Keeps the whole lines of what was said for the check; returns how many there are.
    ///
    /// The next launch goes on in the same file, and may not complete a line of this one.
    private func keep(
        _ said: Data, beforeKill kill: Int, in folder: IterationFolder
    ) throws -> Int {
        let end = said.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? said.startIndex
        let whole = said[..<end]
        do {
            try whole.write(to: URL(fileURLWithPath: folder.said(beforeKill: kill)))
            if let output = folder.standardOutput, !said.isEmpty {
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
                try file.truncate(atOffset: UInt64(whole.count))
                try file.close()
            }
        } catch {
            throw RigError(.failure, "cannot keep what was said: \(SystemFailure(error))")
        }
        return whole.count { $0 == UInt8(ascii: "\n") }
    }

    private func makeLife(in folder: IterationFolder, _ policy: Policy) throws -> WorkerRun {
        try WorkerRun(of: "", in: folder, policy: policy, context)
    }

    /// A program that nothing killed.
    private struct Attended {
        let end: WorkerRun.End<Milestones>
        let death: Death
        /// False where it neither said a line nor changed its files.
        let hasProgressed: Bool
    }

    /// Watches a program until it has ended; it is asked to when its time is over.
    ///
    /// - Parameter habits: what it must do as it did without a kill: make progress, and end when it
    ///   is asked to. Otherwise it is given the time in which a hang shows.
    private func attend(
        _ life: WorkerRun, by watch: SaidWatch,
        as habits: ProgramKnowledge.Habits = ProgramKnowledge.Habits(),
        wrap: @escaping @Sendable ([String]) throws -> [String] = { $0 }
    ) async throws -> Attended {
        let (folder, before) = (life.folder, life.folder.bytesOfState)
        let hasProgressed: @Sendable () -> Bool = {
            watch.lines > 0 || folder.bytesOfState != before
        }
        let clock = RunClock(check.seconds) { !habits.progresses || hasProgressed() }
        let isPatient = check.seconds == nil || habits.endsWhenAsked
        let monitor = WorkerMonitor(
            watch: watch, videoLength: .max, stallDetector: context.stallDetector(life.folder),
            isOver: { clock.isOver },
            partingSeconds: isPatient ? .infinity : RunClock.partingSeconds)
        let end = try await life.attend(monitor, wrap: wrap)
        return Attended(
            end: end, death: clock.own(end.death), hasProgressed: hasProgressed())
    }

    // MARK: The uninterrupted run

    func uninterruptedRun(_ plan: PlannedIteration) async throws -> UninterruptedRun {
        let folder = try await makeFolder()
        defer { folder.remove() }
        return try await unharmed(plan, in: folder)
    }

    func countedCalls(_ plan: PlannedIteration) async throws -> CallCount {
        let folder = try await makeFolder()
        defer { folder.remove() }
        let tracing = try context.tracing(in: folder)
        _ = try await unharmed(plan, in: folder, by: tracing)
        return try tracing.counted
    }

    func unharmedState(
        _ plan: PlannedIteration, _ look: (String) -> [String]
    ) async throws -> [String]? {
        let folder = try await makeFolder()
        defer { folder.remove() }
        try await unharmed(plan, in: folder)
        return look(folder.state)
    }

    /// Runs the program to its end, which has to be a good one.
    @discardableResult
    private func unharmed(
        _ plan: PlannedIteration, in folder: IterationFolder, by tracing: Tracing? = nil
    ) async throws -> UninterruptedRun {
        let watch = SaidWatch(linesFile(in: folder))
        let notice = noticeOfWait()
        defer { notice?.cancel() }
        let life = try await attend(try makeLife(in: folder, plan.policy), by: watch) {
            try tracing?.command($0) ?? context.recording($0, in: folder)
        }
        let (end, death, seen) = (life.end, life.death, life.end.observed)
        if seen.end == .interrupted { throw Interrupted() }
        guard death == .exited(0), seen.end == nil else {
            if let failure = context.tracerFailure(in: folder) { throw failure }
            if check.seconds == nil, let reason = seen.end {
                throw UninterruptedFailure(
                    end: settings.end(.measured, of: end, expectedDeath: .exited(0), death: death),
                    error: endless(reason))
            }
            let last = WorkerLog.tail(folder.log) ?? linesFile(in: folder).flatMap(WorkerLog.tail)
            let complaint = last.map { "\($0) (\(end.death.words))" }
            throw UninterruptedFailure(
                end: settings.end(
                    .measured, of: end, expectedDeath: .exited(0), death: death),
                error: context.unable(
                    folder, end.death.words,
                    fault: seen.end.map { "it \(settings.complaint(of: $0))" } ?? complaint))
        }
        knowledge.hasEnded = true
        var run = UninterruptedRun(
            seconds: (seen.over ?? 0) - (seen.firstByte ?? 0), curve: seen.curve)
        run.startSeconds = seen.firstByte
        run.lines = watch.lines
        if let launched = seen.launched, let over = seen.over, let first = watch.firstLine {
            run.firstLineShare = (first - launched).seconds / over
        }
        return run
    }

    /// Seconds after which it is said that an unharmed run is waited for.
    private static let noticeSeconds = 5.0

    /// Says after a while what is waited for, where nothing asks the program to end; nil once it has
    /// shown that it ends.
    private func noticeOfWait() -> Task<Void, any Error>? {
        guard check.seconds == nil, !knowledge.hasEnded, let say = settings.stillRuns else {
            return nil
        }
        return Task {
            try await Task.sleep(for: .seconds(Self.noticeSeconds))
            say()
        }
    }

    /// The error about a program that does not end.
    private func endless(_ reason: StallDetector.End) -> RigError {
        let longer =
            reason == .overran ? "; one that takes longer needs --time-limit SECONDS" : ""
        return RigError(
            .unavailable,
            "the worker \(settings.worker.name) does not complete the work when it is not killed: it "
                + "\(settings.complaint(of: reason)); a program that does not end by itself needs "
                + "--for 2s\(longer)")
    }

    /// Runs the program and keeps what it has said, for a check of an unharmed run.
    func whole(
        _ plan: PlannedIteration, in folder: IterationFolder
    ) async throws -> UninterruptedRun {
        let run = try await unharmed(plan, in: folder)
        _ = try keep(said(in: folder), beforeKill: 1, in: folder)
        return run
    }

    /// Learns how a program with `--for` behaves that is started again and again: after a kill it has
    /// to do so, too.
    ///
    /// What it still does at the third launch it has to do at the second, also where a machine has
    /// become twice as fast meanwhile.
    func learnHabits(_ plan: PlannedIteration, in folder: IterationFolder) async throws {
        guard check.seconds != nil, check.relaunches else { return }
        for _ in 1...2 {
            let again = try await attend(
                try makeLife(in: folder, plan.policy), by: SaidWatch(linesFile(in: folder)))
            _ = try keep(said(in: folder), beforeKill: 1, in: folder)
            let seen = again.end.observed
            // One that fails without a kill shows nothing that a kill could change.
            guard seen.end == nil, again.death == .exited(0) else { return }
            knowledge.habits = ProgramKnowledge.Habits(
                progresses: again.hasProgressed && plan.kills.count == 1,
                endsWhenAsked: seen.wasAsked && !seen.wasForced)
        }
    }
}

// MARK: - One iteration

extension CheckScenario {
    /// A killed life, and what was said and found by then.
    private struct Struck {
        let life: KilledRun
        let lines: Int
        /// What the check found before the next launch; nil where it was not run.
        var before: CheckEvidence.Outcome?
    }

    func perform(
        _ plan: PlannedIteration, pace: UninterruptedPace, stopwatch: IterationStopwatch
    ) async throws -> IterationOutcome {
        let folder = try await makeFolder()
        var lives: [Struck] = []
        for planned in plan.kills {
            var struck = try await launchAndKill(
                planned, of: plan, in: folder, pace: pace, stopwatch: stopwatch)
            try folder.keepState(ofKill: planned.kill)
            stopwatch.lap(.copy)
            if planned.kill < plan.kills.count {
                struck.before = try await checkedBefore(kill: planned.kill, in: folder)
            }
            lives.append(struck)
        }
        let settled = lives
        func concluded() async throws -> [IterationEvidence] {
            try await conclude(plan, settled, in: folder, pace: pace, stopwatch: stopwatch)
        }
        let kills = try await context.others(
            than: try await concluded(), among: lives[0].life.states, in: folder,
            concluded: concluded)
        return IterationOutcome(kills: kills, folder: folder, stopwatch: stopwatch)
    }

    private func launchAndKill(
        _ planned: PlannedKill, of plan: PlannedIteration, in folder: IterationFolder,
        pace: UninterruptedPace, stopwatch: IterationStopwatch
    ) async throws -> Struck {
        let watch = SaidWatch(linesFile(in: folder))
        let clock = RunClock(check.seconds)
        // After a power cut a thread may go on for a moment, and say what was never stored.
        let saidAtCut = Mutex<Data?>(nil)
        var hooks = KillHooks()
        if settings.volume != nil {
            hooks.willKill = { saidAtCut.withLock { $0 = self.said(in: folder) } }
        }
        if case .said(let lines) = planned.trigger { hooks.hasSaid = { watch.lines >= lines } }
        hooks.isOver = { clock.isOver }
        let controller = KillController(
            planned: planned, uninterruptedSeconds: pace.seconds, watch: watch,
            stallDetector: context.stallDetector(folder), hooks: hooks,
            partingSeconds: check.seconds == nil ? .infinity : RunClock.partingSeconds,
            graceSeconds: settings.grace.seconds(seed: plan.seed, kill: planned.kill))
        let power = PowerCut(
            of: settings.volume, iterationSeed: plan.seed, kill: planned.kill,
            uninterruptedSeconds: pace.seconds, watching: try folder.freshWitness())
        stopwatch.lap(.prepare)
        let (end, calls) = try await makeLife(in: folder, plan.policy)
            .killWorker(by: controller, arming: power.arming)
        let outcome = end.observed
        let count = try keep(
            saidAtCut.withLock { $0 } ?? said(in: folder), beforeKill: planned.kill, in: folder)
        try power.restore()
        let death = outcome.sent ? end.death : clock.own(end.death)
        var states = try context.crashStates(
            after: outcome, death, in: folder, plan, kill: planned.kill)
        if let image = states?.next() { try context.restore(image, in: folder) }
        stopwatch.lap(outcome, ended: end.ended)
        stopwatch.lap(.clear)
        var life = KilledRun(
            planned: planned, death: death, killOutcome: outcome, calls: calls, page: power.page,
            requests: [])
        life.states = states
        life.memoryKills = end.memoryKills
        life.outlived = end.outlived
        life.excuse = outcome.excuse(of: planned, calls: calls)
        life.neverReady = end.neverReady
        return Struck(life: life, lines: count)
    }

    /// Starts the program again where that was asked for, and lets the check judge what is left.
    private func conclude(
        _ plan: PlannedIteration, _ lives: [Struck], in folder: IterationFolder,
        pace: UninterruptedPace, stopwatch: IterationStopwatch
    ) async throws -> [IterationEvidence] {
        let last = lives.count
        let before = try await checkedBefore(kill: last, in: folder)
        stopwatch.lap(.autopsy)
        let relaunched =
            check.relaunches
            ? try await relaunch(plan.policy, in: folder, stopwatch: stopwatch) : nil
        let after = try await outcome(
            of: folder.state, said: folder.said(beforeKill: last), in: folder)
        stopwatch.lap(.compare)
        let chain = Chain(
            plan: plan, settings: settings, videoLength: settings.served, pace: pace,
            baseline: nil, lives: lives.map(\.life), autopsies: lives.map { _ in nil },
            last: relaunched?.resumption, before: [], after: relaunched?.ends ?? [],
            isAnsweredOtherwise: false, lastRecovery: nil)
        var kills = chain.evidence
        for index in kills.indices {
            let isLast = index == last - 1
            kills[index].check = CheckEvidence(
                before: isLast ? before : lives[index].before,
                after: isLast || after == .sound ? after : .unknown(Self.anyKill),
                lines: lives[index].lines)
            if check.looksAtLines { kills[index].check?.looksAtLines = true }
        }
        return kills
    }

    /// What is found at the end of a chain can be of any of its kills.
    private static let anyKill =
        "what the check found after the last kill of the chain may be of this kill or of another one"

    private func relaunch(
        _ policy: Policy, in folder: IterationFolder, stopwatch: IterationStopwatch
    ) async throws -> (resumption: Resumption, ends: [LifeEnd]) {
        var habits = knowledge.habits
        let earlier = UInt64(folder.log.fileSize ?? 0)
        let life = try await attend(
            try makeLife(in: folder, policy), by: SaidWatch(linesFile(in: folder)), as: habits
        ) { try context.relaunching($0, in: folder) }
        let (end, death, seen) = (life.end, life.death, life.end.observed)
        stopwatch.lap(seen)
        let resumption = Resumption(
            death: death, requests: [],
            // It has recovered when it is done, unless it is never done by itself.
            recoverySeconds: check.seconds == nil && death == .exited(0) ? seen.over : nil,
            resumeSeconds: nil, differingBytes: nil, firstDifference: nil,
            complaint: seen.end.map(settings.complaint) ?? WorkerLog.tail(folder.log))
        var ends = [
            settings.end(.relaunched, of: end, expectedDeath: .exited(0), death: death)
        ]
        ends[0].complaint = WorkerLog.lastLine(of: folder.log, from: earlier)
        if settings.relaunch == .again, death == .exited(0) {
            // Its work may be done by now.
            habits.progresses = false
            let life = try await attend(
                try makeLife(in: folder, policy), by: SaidWatch(linesFile(in: folder)), as: habits)
            stopwatch.lap(.complete)
            ends.append(
                settings.end(.again, of: life.end, expectedDeath: .exited(0), death: life.death))
        }
        return (resumption, ends)
    }
}
