internal import Foundation
internal import RigModel
internal import Synchronization

/// The commands of the user: they are read by a shell, in the folder in which the program is started.
extension CheckScenario {
    private struct Ran {
        /// Nil where its time was over before.
        let death: Death?
        let lastLine: String?

        /// `exit code 2: no such file`.
        var words: String {
            (death?.words ?? "it did not end in time") + (lastLine.map { ": \($0)" } ?? "")
        }

        var outcome: CheckEvidence.Outcome {
            switch death {
            case .exited(0)?: .sound
            case .exited(1)?: .violated(lastLine ?? "it ended with exit code 1 and said nothing")
            default: .unknown("the check has failed: \(words)")
            }
        }
    }

    private func run(
        _ command: String, on place: String, said: String? = nil, within seconds: Double? = nil,
        in folder: IterationFolder
    ) async throws -> Ran {
        let folder = folder.ofCheck
        try? Removal.remove(folder.log)
        var values = ["dir": ShellWord.quoted(place)]
        if let said { values["said"] = ShellWord.quoted(said) }
        let words = ["/bin/sh", "-c", Placeholders.fill(command, with: values)]
        let monitor = WorkerMonitor(
            watch: SaidWatch(nil), videoLength: .max,
            stallDetector: StallDetector(
                seconds: .infinity, limitSeconds: seconds ?? settings.timeLimitSeconds,
                interruption: context.interruption), isOnlyWaitedFor: true)
        let (death, seen) = try await context.run(words, in: folder, wasKilled: true) {
            monitor.attend($0)
        }
        return Ran(death: seen.gaveUp == nil ? death : nil, lastLine: WorkerLog.tail(folder.log))
    }

    /// Seconds that a check may take where no time limit was given.
    private static let checkSeconds = 60.0

    private func checked(
        _ place: String, kill: Int, in folder: IterationFolder
    ) async throws -> Ran {
        try await run(
            check.command, on: place, said: folder.said(beforeKill: kill),
            within: settings.spec.timeLimit ?? Self.checkSeconds, in: folder)
    }

    /// Lets the check judge a folder and what was said, within a minute or the time limit.
    func outcome(
        of place: String, kill: Int, in folder: IterationFolder
    ) async throws -> CheckEvidence.Outcome {
        try await checked(place, kill: kill, in: folder).outcome
    }

    /// Lets the check judge a copy of what a kill has left; nil where that was not asked for.
    func checkedBefore(
        kill: Int, in folder: IterationFolder
    ) async throws -> CheckEvidence.Outcome? {
        guard check.isRunBefore else { return nil }
        try? Removal.remove(folder.copyBefore)
        try await copy(folder.state, to: folder.copyBefore, in: folder)
        return try await outcome(of: folder.copyBefore, kill: kill, in: folder)
    }

    /// Copies what a folder holds, with owners, modes and links, into an empty one or a new one.
    func copy(_ source: String, to target: String, in folder: IterationFolder) async throws {
        let place = ShellWord.quoted(target)
        let ran = try await run(
            "mkdir -p -- \(place) && cp -a -- {dir}/. \(place)", on: source, within: .infinity,
            in: folder)
        try RigError.require(
            ran.death == .exited(0), .failure,
            "cannot copy \(source): \(ran.words); \(SystemFailure.remedyOfProgram)")
    }

    func folder(preparedBy command: String) async throws -> String {
        if let made = knowledge.prepared.withLock(\.self) { return made }
        let folder = try IterationFolder(creating: "\(settings.scratch)/prepared")
        let ran = try await run(command, on: folder.state, in: folder)
        try RigError.require(
            ran.death == .exited(0), .unavailable,
            "--prepare must end with exit code 0, and did not: \(ran.words); make it work on its"
                + " own first")
        knowledge.prepared.withLock { $0 = folder.state }
        return folder.state
    }

    /// Checks an unharmed run, which must be sound, and then a damaged folder, which must not.
    func trial(_ plan: PlannedIteration) async throws -> [String] {
        let folder = try await makeFolder(context.newNumber())
        defer { folder.remove() }
        let first = try await unharmed(in: folder)
        // The check sees the lines of the first launch alone, as it does after a kill.
        try await startAgain(in: folder)
        func judged(_ place: String) async throws -> CheckEvidence.Outcome {
            try await outcome(of: place, kill: 1, in: folder)
        }
        let whole = try await checked(folder.state, kill: 1, in: folder)
        switch whole.outcome {
        case .sound: break
        case .violated(let why), .unknown(let why):
            let isSlow = whole.death == nil
            if !isSlow, try await passesOnce() {
                throw RigError.unavailable(
                    "the check passes on what an unharmed run leaves, and not when the program is"
                        + " started again there, which no kill did: \(why); give --no-relaunch, or"
                        + " mend the check, or the program")
            }
            throw RigError.unavailable(
                "the check must end with exit code 0 on what an unharmed run leaves, and did not:"
                    + " \(why); mend the check, or the program"
                    + (isSlow ? "; a check that takes longer needs --time-limit SECONDS" : ""))
        }
        try await learnHabits(plan, in: folder)
        var notes = [lateLines(of: first)].compactMap(\.self)
        guard let sees = check.sees else {
            let empty = folder.copyAfterwards
            try FileManager.default.createDirectory(
                atPath: empty, withIntermediateDirectories: true)
            if try await judged(empty) == .sound {
                notes.append(
                    "the check also passes on an empty folder; show by --check-sees 'COMMAND' that"
                        + " it notices damage, or it may look at nothing")
            }
            return notes
        }
        let ran = try await run(sees, on: folder.state, in: folder)
        try RigError.require(
            ran.death == .exited(0), .unavailable,
            "--check-sees must damage {dir} and end with exit code 0, and did not: \(ran.words)")
        switch try await judged(folder.state) {
        case .violated: return notes
        case .sound: throw notNoticed()
        case .unknown(let why): throw notNoticed(why)
        }
    }

    /// The error about a check that does not end with 1 where `--check-sees` has done its damage.
    private func notNoticed(_ why: String? = nil) -> RigError {
        let isDeaf =
            check.said == ProgramCheck.nothing
            && Placeholders.names(in: check.command).contains("said")
        let lines = isDeaf ? " ({said} is empty: --said none)" : ""
        return RigError.unavailable(
            "the check does not notice what --check-sees damages: it must end with exit code 1"
                + " then\(why.map { ", and \($0)" } ?? ""); have it look at what the program"
                + " promises\(lines)")
    }

    /// The share of an unharmed run after which lines come as it ends.
    private static let lateShare = 0.9

    /// The advice on a program that keeps its promises in a buffer until it ends.
    private func lateLines(of run: UninterruptedRun) -> String? {
        guard check.looksAtLines, run.lines > 1, let share = run.firstLineShare,
            share > Self.lateShare
        else { return nil }
        return
            "all \(run.lines) lines of an unharmed run came as it ended, so hardly any kill finds a"
            + " promise; have it flush each line (PYTHONUNBUFFERED=1, stdbuf -oL)"
    }
}
