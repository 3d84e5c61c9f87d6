internal import Foundation
internal import RigModel
internal import Synchronization

/// `check`: a program changes files, is killed, and a command of its user's judges what is left.
struct CheckScenario: Scenario {
    let context: IterationContext
    let knowledge: ProgramKnowledge

    /// The options make sure that there is one; without it nothing would pass.
    var check: ProgramCheck { settings.worker.check ?? ProgramCheck("exit 2") }

    /// A folder in which the program begins, with what was prepared for it.
    func makeFolder(_ number: Int) async throws -> IterationFolder {
        var folder = try context.newFolder(number)
        if check.said == ProgramCheck.standardOutput { folder.standardOutput = folder.said }
        if let command = check.prepare {
            try await copy(try await self.folder(preparedBy: command), to: folder.state, in: folder)
            // What was there before must survive a power cut.
            if let volume = settings.volume { try VolumeMount.sync(volume.folder) }
        }
        return folder
    }

    private func linesFile(in folder: IterationFolder) -> String? {
        guard let file = check.saidFile else { return folder.standardOutput }
        let path = Placeholders.fill(file, with: ["dir": folder.state])
        return path.hasPrefix("/") ? path : "\(folder.state)/\(path)"
    }

    private func said(in folder: IterationFolder) -> Data {
        linesFile(in: folder).flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    }

    /// Keeps the whole lines of what was said for the check, and returns how many there are: the
    /// next launch may not complete a line of this one.
    @discardableResult
    private func keepLines(
        of said: Data? = nil, beforeKill kill: Int = 1, in folder: IterationFolder
    ) throws -> Int {
        let said = said ?? self.said(in: folder)
        let end = said.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? said.startIndex
        let whole = said[..<end]
        try SystemFailure.explained("cannot keep what was said") {
            try whole.write(to: URL(fileURLWithPath: folder.said(beforeKill: kill)))
            if let output = folder.standardOutput, !said.isEmpty {
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
                try file.truncate(atOffset: UInt64(whole.count))
                try file.close()
            }
        }
        return whole.count { $0 == UInt8(ascii: "\n") }
    }

    /// Starts the program, and watches it until it has ended; it is asked to when its time is over.
    ///
    /// What it does not do as it did without a kill (`habits`) it is given the time for in which a
    /// hang shows. Its end counts as its own where it was asked for.
    private func attend(
        in folder: IterationFolder, as habits: ProgramKnowledge.Habits = ProgramKnowledge.Habits(),
        wrap: @escaping @Sendable ([String]) throws -> [String] = { $0 }
    ) async throws -> (end: Launch, watch: SaidWatch, hasProgressed: Bool) {
        let watch = SaidWatch(linesFile(in: folder))
        let files = StateWatch(folder)
        let hasProgressed: @Sendable () -> Bool = { watch.lines > 0 || files.hasChanged }
        let clock = RunClock(check.seconds) { !habits.progresses || hasProgressed() }
        let isPatient = check.seconds == nil || habits.endsWhenAsked
        var monitor = context.monitor(watch, until: .max, in: folder) { clock.isOver }
        if !isPatient { monitor.partingSeconds = RunClock.partingSeconds }
        let life = try WorkerRun(of: "", in: folder, policy: .program, context)
        var end = try await life.attend(monitor, wrap: wrap)
        end.death = clock.own(end.death)
        files.settle()
        return (end, watch, hasProgressed())
    }

    func unharmed<Value>(
        _ plan: PlannedIteration, followed: Tracing.Followed?, then body: Unharmed<Value>
    ) async throws -> Value {
        let folder = try await makeFolder(context.newNumber())
        defer { folder.remove() }
        let tracing = try followed.map { _ in try context.tracing(in: folder) }
        return try await body(try await unharmed(in: folder, by: tracing), folder, tracing)
    }

    /// Seconds after which it is said that an unharmed run is waited for.
    private static let noticeSeconds = 5.0

    /// Runs the program to its end, which has to be a good one, and keeps what it has said.
    func unharmed(
        in folder: IterationFolder, by tracing: Tracing? = nil
    ) async throws -> UninterruptedRun {
        let notice = Task {
            try await Task.sleep(for: .seconds(Self.noticeSeconds))
            // A program that nothing asks to end has to show once that it ends.
            if check.seconds == nil, !knowledge.hasEnded.load(ordering: .relaxed) {
                settings.stillRuns?()
            }
        }
        defer { notice.cancel() }
        let life = try await attend(in: folder) {
            try tracing?.command($0) ?? context.recording($0, in: folder)
        }
        try UninterruptedGate(context: context, folder: folder, lines: linesFile(in: folder))
            .check(life.end)
        knowledge.hasEnded.store(true, ordering: .relaxed)
        let seen = life.end.seen
        var run = UninterruptedRun(
            seconds: (seen.over ?? 0) - (seen.firstByte ?? 0), curve: seen.curve)
        run.startSeconds = seen.firstByte
        run.lines = life.watch.lines
        if let launched = seen.launched, let over = seen.over, let first = life.watch.firstLine {
            run.firstLineShare = (first - launched).seconds / over
        }
        try keepLines(in: folder)
        return run
    }

    /// Starts the program again where its work is done, as after a kill at its end, and throws exit
    /// code 69 where it fails then: each kill would be blamed for what none did.
    func startAgain(in folder: IterationFolder) async throws {
        guard check.relaunches else { return }
        let earlier = UInt64(folder.log.fileSize ?? 0)
        let end = try await attend(in: folder).end
        let gaveUp = end.seen.gaveUp
        if gaveUp == .interrupted { throw Interrupted() }
        guard gaveUp != nil || end.death != .exited(0) else { return }
        let complaint = gaveUp.map { "it \(settings.complaint(of: $0))" }
        let said = WorkerLog.tail(folder.log, from: earlier).map { "\($0) (\(end.death.words))" }
        throw RigError.unavailable(
            "\(settings.worker.name) fails when it is started again where its work is done, which no"
                + " kill did: \(complaint ?? said ?? end.death.words); give --no-relaunch, or have it"
                + " end with exit code 0 then")
    }

    /// True where the check passes on what the program leaves that is started only once, and not twice.
    func passesOnce() async throws -> Bool {
        guard check.relaunches else { return false }
        let folder = try await makeFolder(context.newNumber())
        defer { folder.remove() }
        _ = try await unharmed(in: folder)
        return try await outcome(of: folder.state, kill: 1, in: folder) == .sound
    }

    /// Learns how a program with `--for` behaves that is started again and again: what it still
    /// does at the third launch it has to do after a kill, even on a machine twice as fast.
    func learnHabits(_ plan: PlannedIteration, in folder: IterationFolder) async throws {
        guard check.seconds != nil, check.relaunches else { return }
        let third = try await attend(in: folder)
        try keepLines(in: folder)
        let seen = third.end.seen
        // One that fails without a kill shows nothing that a kill could change.
        guard seen.gaveUp == nil, third.end.death == .exited(0) else { return }
        let habits = ProgramKnowledge.Habits(
            progresses: third.hasProgressed && plan.kills.count == 1,
            endsWhenAsked: seen.wasAsked && !seen.wasForced)
        knowledge.habits.withLock { $0 = habits }
    }

    func examine(_ life: inout KilledRun, in iteration: Iteration) async throws {
        guard life.planned.kill < iteration.plan.kills.count else { return }
        let before = try await checkedBefore(kill: life.planned.kill, in: iteration.folder)
        life.check?.before = before
    }

    private static let anyKill =
        "what the check found after the last kill of the chain may be of this kill or of another one"

    func launchAndKill(_ planned: PlannedKill, in iteration: Iteration) async throws -> KilledRun {
        let folder = iteration.folder
        let watch = SaidWatch(linesFile(in: folder))
        let clock = RunClock(check.seconds)
        // After a power cut a thread may go on for a moment, and say what was never stored.
        let saidAtCut = Mutex<Data?>(nil)
        var hooks = KillHooks()
        if settings.fault == .powerCut {
            hooks.willKill = { saidAtCut.withLock { $0 = self.said(in: folder) } }
        }
        if case .said(let lines) = planned.trigger { hooks.hasSaid = { watch.lines >= lines } }
        hooks.isOver = { clock.isOver }
        var controller = context.controller(for: planned, in: iteration, watch, hooks)
        if check.seconds != nil { controller.partingSeconds = RunClock.partingSeconds }
        let run = try WorkerRun(of: "", in: folder, policy: .program, context)
        var lines = 0
        var life = try await context.struck(
            by: controller, in: iteration, watching: try folder.freshWitness()
        ) { arming in
            let killed = try await run.killWorker(by: controller, arming: arming)
            let said = saidAtCut.withLock { $0 }
            lines = try keepLines(of: said, beforeKill: planned.kill, in: folder)
            return killed
        }
        if !life.seen.sent || !settings.fault.hasMoment {
            life.launch.death = clock.own(life.death)
        }
        life.check = CheckEvidence(before: nil, after: .unknown(Self.anyKill), lines: lines)
        if check.looksAtLines { life.check?.looksAtLines = true }
        return life
    }

    /// Starts the program again where that was asked for, and lets the check judge what is left.
    func conclude(
        _ lives: [KilledRun], after earlier: EarlierLife?, in iteration: Iteration
    ) async throws -> Chain {
        let (folder, stopwatch) = (iteration.folder, iteration.stopwatch)
        let last = lives.count - 1
        let before = try await checkedBefore(kill: lives.count, in: folder)
        stopwatch.lap(.autopsy)
        let relaunched =
            check.relaunches ? try await relaunch(in: folder, stopwatch: stopwatch) : nil
        let after = try await outcome(of: folder.state, kill: lives.count, in: folder)
        stopwatch.lap(.compare)
        var checked = lives
        checked[last].check?.before = before
        for index in checked.indices where index == last || after == .sound {
            checked[index].check?.after = after
        }
        return Chain(
            plan: iteration.plan, settings: settings, videoLength: settings.served,
            pace: iteration.pace, lives: checked, autopsies: lives.map { _ in nil },
            last: relaunched?.resumption, after: relaunched?.ends ?? [])
    }

    private func relaunch(
        in folder: IterationFolder, stopwatch: IterationStopwatch
    ) async throws -> (resumption: Resumption, ends: [LifeEnd]) {
        var habits = knowledge.habits.withLock(\.self)
        let earlier = UInt64(folder.log.fileSize ?? 0)
        let end = try await attend(
            in: folder, as: habits, wrap: { try context.relaunching($0, in: folder) }
        ).end
        let (death, seen) = (end.death, end.seen)
        stopwatch.lap(relaunched: seen)
        let resumption = Resumption(
            death: death,
            // It has recovered when it is done, unless it is never done by itself.
            recoverySeconds: check.seconds == nil && death == .exited(0) ? seen.over : nil,
            complaint: settings.failure(of: end, in: folder))
        var ends = [settings.end(.relaunched, of: end, expectedDeath: .exited(0))]
        ends[0].complaint = WorkerLog.tail(folder.log, from: earlier)
        if settings.relaunch == .again, death == .exited(0) {
            // Its work may be done by now.
            habits.progresses = false
            let again = try await attend(in: folder, as: habits).end
            stopwatch.lap(.complete)
            ends.append(settings.end(.again, of: again, expectedDeath: .exited(0)))
        }
        return (resumption, ends)
    }
}

/// What a run made and learned of a checked program before its first kill.
final class ProgramKnowledge: Sendable {
    /// How a program with `--for` behaves that was started again without a kill.
    struct Habits: Sendable {
        var progresses = false
        var endsWhenAsked = false
    }

    /// Where `--prepare` has filled the folder in which iterations begin; nil until then.
    let prepared = Mutex<String?>(nil)
    let hasEnded = Atomic(false)
    let habits = Mutex(Habits())
}
