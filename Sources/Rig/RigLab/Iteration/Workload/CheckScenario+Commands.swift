internal import Foundation
internal import RigModel

/// The commands of the user: they are read by a shell, in the folder in which the program is started.
extension CheckScenario {
    /// Seconds that a check may take, one that takes longer has failed: a minute, or what
    /// `--time-limit` says.
    private var checkSeconds: Double {
        settings.timeLimitSeconds == LaboratorySettings.standardTimeLimit
            ? 60 : settings.timeLimitSeconds
    }

    /// How a command has ended.
    private struct Ran: Sendable {
        let death: Death
        let isOverdue: Bool
        let lastLine: String?

        /// `exit code 2: no such file`.
        var words: String {
            let how = isOverdue ? "it did not end in time" : death.words
            return how + (lastLine.map { ": \($0)" } ?? "")
        }
    }

    /// Runs a command; its processes are ended with it.
    ///
    /// - Parameters:
    ///   - place: what `{dir}` stands for.
    ///   - said: what `{said}` stands for; nil for a command that has none.
    ///   - seconds: how long it may take; as long as a launch of the program where it is not given.
    private func run(
        _ command: String, on place: String, said: String? = nil, within seconds: Double? = nil,
        in folder: IterationFolder
    ) async throws -> Ran {
        let folder = folder.ofCheck
        try? Removal.remove(folder.log)
        var values = ["dir": ShellWord.quoted(place)]
        if let said { values["said"] = ShellWord.quoted(said) }
        let words = ["/bin/sh", "-c", Placeholders.fill(command, with: values)]
        let (limit, interruption) = (seconds ?? settings.timeLimitSeconds, context.interruption)
        let end = try await context.settle(in: folder, wasKilled: { _ in true }) {
            traces -> WorkerRun.End<Bool> in
            let (death, isOverdue) = try await context.start(words, in: folder, traces: traces) {
                process -> Bool in
                while process.isAlive {
                    let isOver = (ContinuousClock.now - process.launched).seconds > limit
                    if isOver || interruption.isRaised {
                        process.kill()
                        return isOver
                    }
                    Pause.seconds(0.001)
                }
                return false
            }
            return WorkerRun.End(death: death, observed: isOverdue)
        }
        return Ran(
            death: end.death, isOverdue: end.observed, lastLine: WorkerLog.tail(folder.log))
    }

    /// Lets the check judge a folder.
    func outcome(
        of place: String, said: String, in folder: IterationFolder
    ) async throws -> CheckEvidence.Outcome {
        let ran = try await run(
            check.command, on: place, said: said, within: checkSeconds, in: folder)
        let failed = CheckEvidence.Outcome.unknown("the check has failed: \(ran.words)")
        guard !ran.isOverdue else { return failed }
        return switch ran.death {
        case .exited(0): .sound
        case .exited(1): .violated(ran.lastLine ?? "it ended with exit code 1 and said nothing")
        case .exited, .signaled: failed
        }
    }

    /// Lets the check judge a copy of what a kill has left; nil where that was not asked for.
    func checkedBefore(
        kill: Int, in folder: IterationFolder
    ) async throws -> CheckEvidence.Outcome? {
        guard check.isRunBefore else { return nil }
        try? Removal.remove(folder.copyBefore)
        try FileManager.default.createDirectory(
            atPath: folder.copyBefore, withIntermediateDirectories: true)
        try await copy(folder.state, to: folder.copyBefore, in: folder)
        return try await outcome(
            of: folder.copyBefore, said: folder.said(beforeKill: kill), in: folder)
    }

    /// Copies what a folder holds, with owners, modes and links, into an empty one.
    func copy(_ source: String, to target: String, in folder: IterationFolder) async throws {
        let ran = try await run(
            "cp -a -- {dir}/. \(ShellWord.quoted(target))", on: source, within: .infinity,
            in: folder)
        guard ran.death == .exited(0) else {
            throw RigError(
                .failure,
                "cannot copy \(source): \(ran.words); see who may read it, and whether there is "
                    + "room")
        }
    }

    /// The folder that `--prepare` has filled, once for a run.
    func folder(preparedBy command: String) async throws -> String {
        if let made = knowledge.prepared { return made }
        let folder = try IterationFolder(creating: "\(settings.scratch)/prepared")
        let ran = try await run(command, on: folder.state, in: folder)
        guard ran.death == .exited(0), !ran.isOverdue else {
            throw RigError(
                .unavailable,
                "--prepare must end with exit code 0, and did not: \(ran.words); make it work on its"
                    + " own first")
        }
        knowledge.prepared = folder.state
        return folder.state
    }

    /// Checks an unharmed run, which must be sound, and then a damaged folder, which must not.
    func trial(_ plan: PlannedIteration) async throws -> [String] {
        let folder = try await makeFolder()
        defer { folder.remove() }
        let unharmed = try await whole(plan, in: folder)
        func judged(_ place: String) async throws -> CheckEvidence.Outcome {
            try await outcome(of: place, said: folder.said(beforeKill: 1), in: folder)
        }
        switch try await judged(folder.state) {
        case .sound: break
        case .violated(let why), .unknown(let why):
            throw RigError(
                .unavailable,
                "the check must end with exit code 0 on what an unharmed run leaves, and did not:"
                    + " \(why); mend the check, or the program")
        }
        try await learnHabits(plan, in: folder)
        var notes = [lateLines(of: unharmed)].compactMap(\.self)
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
        guard ran.death == .exited(0), !ran.isOverdue else {
            throw RigError(
                .unavailable,
                "--check-sees must damage {dir} and end with exit code 0, and did not: \(ran.words)"
            )
        }
        guard case .violated = try await judged(folder.state) else {
            let isDeaf =
                check.said == ProgramCheck.nothing
                && Placeholders.names(in: check.command).contains("said")
            let lines = isDeaf ? " ({said} is empty: --said none)" : ""
            throw RigError(
                .unavailable,
                "the check does not notice what --check-sees damages: it must end with exit code 1"
                    + " then; have it look at what the program promises\(lines)")
        }
        return notes
    }

    /// The share of an unharmed run after which lines come as it ends.
    private static let lateShare = 0.9

    /// The advice on a program that fills a buffer with its promises until it ends: at nearly all
    /// moments of a kill it has promised nothing.
    private func lateLines(of run: UninterruptedRun) -> String? {
        guard check.looksAtLines, run.lines > 1, let share = run.firstLineShare,
            share > Self.lateShare
        else { return nil }
        return
            "all \(run.lines) lines of an unharmed run came as it ended, so hardly any kill finds a"
            + " promise; have it flush each line (PYTHONUNBUFFERED=1, stdbuf -oL)"
    }
}
