internal import ArgumentParser
internal import Foundation
internal import RigProfiles
internal import RigLab
internal import RigModel

/// Options of runs that consist of several runs and choose their own kills.
struct ControlOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Put the documents' promises on trial: run what it takes to judge B1 to B11, and set "
                + "each figure beside what was measured."))
    var documented = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "With --documented: promises of your own instead of those that rig was built with, as "
                + "Sources/Rig/RigProfiles/bounds.yml has them.", valueName: "file"))
    var bounds: String?

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

    /// True when the run consists of several runs.
    var isWanted: Bool { selfCheck || documented }

    /// Rejects options that such a run would ignore.
    func check(_ command: KillTestCommand) throws {
        guard selfCheck || bugs == nil else { throw ValidationError("--bugs needs --self-check.") }
        guard documented || bounds == nil else {
            throw ValidationError("--bounds needs --documented.")
        }
        guard isWanted else { return }
        guard !(selfCheck && documented) else {
            throw ValidationError("--self-check and --documented are two runs; give one.")
        }
        let name = selfCheck ? "--self-check" : "--documented"
        guard selfCheck || command.iterations == KillTestCommand.standardIterations else {
            throw ValidationError("--documented chooses its iterations; leave out --iterations.")
        }
        guard command.thresholds == "512KB", command.kill.trigger == .random,
            command.kill.at == nil, command.kill.fault == .sigkill, command.kill.kills == 1,
            command.durability == .process, command.work.workload == .download,
            command.video.video == nil, command.video.originFault.isEmpty, command.gates.isEmpty,
            command.export.isEmpty, !command.timings
        else {
            throw ValidationError(
                "\(name) chooses workloads, policies, kills and gates by itself; give it no more "
                    + "than --seed, --out, --json, --set" + (selfCheck ? ", --iterations." : "."))
        }
    }
}

extension ControlOptions {
    /// The promises to judge.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a missing file, 65 for an invalid one.
    var catalogue: PromiseCatalogue {
        get throws(RigError) {
            guard let bounds else { return try Bounds.standard() }
            guard let data = FileManager.default.contents(atPath: bounds) else {
                throw RigError(.usage, "cannot read \(bounds); name a file like bounds.yml")
            }
            return try Bounds.read(String(decoding: data, as: UTF8.self))
        }
    }

    /// The bugs to plant.
    ///
    /// - Throws: ``RigError`` with exit code 64 for a bug that the worker does not offer.
    func chosen(of worker: WorkerProfile) throws(RigError) -> [PlantedBug] {
        let planted = worker.plantedBugs?.bugs ?? []
        guard let bugs else { return planted }
        var chosen: [PlantedBug] = []
        for name in bugs.split(separator: ",", omittingEmptySubsequences: false) {
            guard let bug = planted.first(where: { $0.name == name }) else {
                let known = planted.map(\.name).joined(separator: ", ")
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
    /// Executes a run that consists of several runs, in a folder that contains theirs.
    func runControl() async throws -> RigModel.ExitStatus {
        let bugs = try command.control.chosen(of: worker)
        // Without the program that has them, a hundred clean iterations would come first.
        if command.control.selfCheck {
            _ = try programs.installed(design.profile.withPlantedBugs)
        }
        let catalogue = try command.control.catalogue
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let runID = RunID.make(seed: design.seed)
        let (folder, lock) = try RunFolder.claim(command.out ?? "results/\(runID)")
        defer {
            lock.release()
            folder.removeIfEmpty()
        }
        console.note("rig: run \(runID), seed \(design.seed), folder \(folder.path)")
        // The parts carry the mark of the whole run, so that they and their workers end with it.
        let guardian = try await Guardian.start(executable: programs.rig, mark: runID)
        let runs = SubRuns(
            programs: programs, worker: command.worker.words, settings: command.work.values,
            folder: folder, seed: design.seed,
            environment: WorkflowReport.none.merging([Guardian.markVariable: runID]) { $1 },
            interruption: interruption,
            console: console)
        let result: Result<RigModel.ExitStatus, any Error>
        do {
            result = .success(
                try await command.control.selfCheck
                    ? SelfCheck(
                        command: command, runs: runs, runID: runID, worker: worker, bugs: bugs
                    ).run()
                    : Documented(
                        command: command, runs: runs, runID: runID, worker: worker,
                        catalogue: catalogue
                    ).run())
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
