internal import ArgumentParser
internal import RigLab
internal import RigModel

/// Runs that are made of many: they choose what is killed, when and how, by themselves.
struct ControlOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Check the rig itself: every planted bug must be caught, and nothing reported without "
                + "one in --iterations iterations."))
    var selfCheck = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --self-check: only these planted bugs, separated by commas.", valueName: "list"))
    var bugs: String?

    /// True when the run is made of others.
    var isWanted: Bool { selfCheck }

    /// Refuses options that such a run would have to ignore.
    func check(_ command: KillTestCommand) throws {
        guard isWanted else {
            guard bugs == nil else { throw ValidationError("--bugs needs --self-check.") }
            return
        }
        let name = "--self-check"
        guard command.thresholds == "512KB", command.kill.trigger == .random,
            command.kill.at == nil, command.kill.fault == .sigkill, command.kill.kills == 1,
            command.durability == .process, command.work.workload == .download,
            command.work.settings.isEmpty, command.video.video == nil,
            command.video.originFault.isEmpty, command.gates.isEmpty
        else {
            throw ValidationError(
                "\(name) chooses workloads, policies, kills and gates by itself; give it no more "
                    + "than --iterations, --seed, --out and --json.")
        }
    }
}

extension ControlOptions {
    /// The bugs that are to be planted.
    ///
    /// - Throws: ``RigError`` with exit code 64 for one that the worker cannot have.
    func chosen(of worker: WorkerProfile) throws(RigError) -> [PlantedBug] {
        guard let bugs else { return worker.sabotages }
        var chosen: [PlantedBug] = []
        for name in bugs.split(separator: ",", omittingEmptySubsequences: false) {
            guard let bug = worker.sabotages.first(where: { $0.name == name }) else {
                let known = worker.sabotages.map(\.name).joined(separator: ", ")
                throw RigError(
                    .usage,
                    "the worker \(worker.name) has no planted bug '\(name)'; it has: \(known)")
            }
            chosen.append(bug)
        }
        return chosen
    }
}

extension KillTest {
    /// Carries out a run that is made of others, in a folder that holds theirs.
    func runControl() async throws -> RigModel.ExitStatus {
        let bugs = try command.control.chosen(of: worker)
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let runID = RunID.make(seed: seed)
        let folder = try RunFolder(creating: command.out ?? "results/\(runID)")
        defer { folder.removeIfEmpty() }
        console.note("rig: run \(runID), seed \(seed), folder \(folder.path)")
        // Parts carry the mark of the whole: they end with it, and their workers with them.
        let guardian = try await Guardian.start(executable: programs.rig, mark: runID)
        let runs = SubRuns(
            programs: programs, folder: folder, seed: seed,
            environment: [Guardian.markVariable: runID], interruption: interruption,
            console: console)
        let result: Result<RigModel.ExitStatus, any Error>
        do {
            let check = SelfCheck(
                command: command, runs: runs, runID: runID, bugs: bugs)
            result = .success(try await check.run())
        } catch {
            result = .failure(error)
        }
        await guardian.dismiss()
        let elapsed = (ContinuousClock.now - started).seconds
        console.note(
            "rig: \(MetricUnit.readableSeconds(elapsed)), every part in \(folder.path)")
        return try result.get()
    }
}
