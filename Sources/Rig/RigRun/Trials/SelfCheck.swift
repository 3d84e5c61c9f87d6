internal import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict

/// `rig self-check`: planted bugs must be caught, and nothing else reported.
package struct SelfCheck {
    private let stage: TrialStage
    private let bugs: [PlantedBug]
    private let iterations: Int

    package init(
        _ settings: TrialSettings, bugs: [String]?, iterations: Int, console: Console
    ) throws {
        self.iterations = iterations
        let worker = settings.profile
        guard worker.plantedBugs != nil else {
            throw settings.refused("rig self-check", "whose profile has 'planted_bugs'")
        }
        guard worker.mentions("threshold") else {
            throw settings.refused(
                "rig self-check", "that takes {threshold}, for its null control 'disabled'")
        }
        stage = try TrialStage(settings, worker: worker, console: console)
        self.bugs = try Self.chosen(bugs, of: stage.worker)
        // Without the program that has them, a hundred clean iterations would come first.
        _ = try Programs.find().installed(worker.withPlantedBugs)
    }

    /// The bugs to plant; exit code 64 for one that the worker does not offer.
    static func chosen(
        _ names: [String]?, of worker: WorkerProfile
    ) throws -> [PlantedBug] {
        let planted = worker.plantedBugs?.bugs ?? []
        guard let names else { return planted }
        return try names.map { name in
            guard let bug = planted.first(where: { $0.name == name }) else {
                let known = planted.map(\.name).joined(separator: ", ")
                throw RigError.usage(
                    "the worker \(worker.name) has no planted bug '\(name)'; it has: \(known)")
            }
            return bug
        }
    }

    package func run() async throws -> ExitStatus { try await stage.run(run(by:)) }

    /// A worker that is not killed must pass the whole pipeline without a report.
    private static let spared = ["--trigger", "time", "--at", "never"]
    /// A bug that shows quickly is caught in this many iterations, without the whole plan.
    private static let firstBatch = 10
    private static let nullControls = 20

    private func run(by runs: SubRuns) async throws -> ExitStatus {
        let clean = try await cleanArms(runs)
        let control = try await runs.run(
            "null-control", ["--thresholds", "disabled", "--iterations", "\(Self.nullControls)"])
        var detections: [Detection] = []
        for bug in bugs { detections.append(try await detect(bug, by: runs)) }
        let report = SelfCheckReport(
            runID: runs.runID, seed: runs.seed, clean: clean,
            nullControl: DetectionJudge.nullControl(part: control, asked: Self.nullControls),
            detections: detections)
        return try runs.conclude(
            "self-check", report.status, json: SelfCheckJSON.text(report),
            markdown: SelfCheckTable.markdown(report), text: SelfCheckTable.text(report))
    }

    /// First spared, then with the kills of every planted bug; they share `--iterations`.
    private func cleanArms(_ runs: SubRuns) async throws -> [ControlArm] {
        let ways = bugs.map(\.options).unique
        let share = max(1, (iterations + ways.count) / (ways.count + 1))
        let spared = try await runs.run("no-kill", Self.spared + ["--iterations", "\(share)"])
        var arms = [
            DetectionJudge.arm("no kills", part: spared, asked: share, mayBeInconclusive: false)
        ]
        for (index, way) in ways.enumerated() {
            let part = try await runs.run("clean-\(index + 1)", way + ["--iterations", "\(share)"])
            let name = way.isEmpty ? "any moment" : way.joined(separator: " ")
            arms.append(DetectionJudge.arm(name, part: part, asked: share))
        }
        return arms
    }

    private func detect(_ bug: PlantedBug, by runs: SubRuns) async throws -> Detection {
        var rows: [IterationRow] = []
        var tried = 0
        while tried < bug.iterations {
            let count = tried == 0 ? min(Self.firstBatch, bug.iterations) : bug.iterations - tried
            let part = try await runs.run(
                tried == 0 ? bug.name : "\(bug.name)-more",
                bug.options + ["--iterations", "\(count)"],
                variables: stage.worker.environment(planting: bug), seed: runs.seed &+ UInt64(tried)
            )
            if let notRun = DetectionJudge.notRun(bug, part, tried: tried) { return notRun }
            rows += part.rows
            tried += count
            let detection = DetectionJudge.detection(of: bug, in: rows, tried: tried)
            if detection.state == .caught { return detection }
        }
        return DetectionJudge.detection(of: bug, in: rows, tried: tried)
    }
}
