internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// `rig kill-test --self-check`: planted bugs must be caught, and nothing else reported.
struct SelfCheck {
    let command: KillTestCommand
    let runs: SubRuns
    let runID: String
    let worker: WorkerProfile
    let bugs: [PlantedBug]

    /// A worker that is not killed must pass the whole pipeline without a report.
    private static let spared = ["--trigger", "time", "--at", "never"]
    /// A bug that shows quickly is caught in this many iterations, without the whole plan.
    private static let firstBatch = 10
    private static let nullControls = 20

    /// Runs every part, then writes and prints the table.
    func run() async throws -> RigModel.ExitStatus {
        let clean = try await cleanArms()
        let control = try await runs.run(
            "null-control",
            ["--thresholds", "disabled", "--iterations", "\(Self.nullControls)"])
        var detections: [Detection] = []
        for bug in bugs { detections.append(try await detect(bug)) }
        let report = SelfCheckReport(
            runID: runID, seed: runs.seed, clean: clean,
            nullControl: DetectionJudge.nullControl(part: control, asked: Self.nullControls),
            detections: detections)
        try runs.folder.write(SelfCheckJSON.text(report), to: "self-check.json")
        try runs.folder.write(SelfCheckTable.markdown(report), to: "self-check.md")
        runs.console.result(
            command.json ? SelfCheckJSON.text(report) : SelfCheckTable.text(report))
        WorkflowReport.append(SelfCheckTable.markdown(report), console: runs.console)
        return report.status
    }

    /// The worker without a planted bug: first spared, then with the kills of every planted bug.
    ///
    /// `--iterations` is divided among these parts.
    private func cleanArms() async throws -> [ControlArm] {
        var ways: [[String]] = []
        for bug in bugs where !ways.contains(bug.options) { ways.append(bug.options) }
        let share = max(1, (command.iterations + ways.count) / (ways.count + 1))
        let spared = try await runs.run("no-kill", Self.spared + ["--iterations", "\(share)"])
        var arms = [
            DetectionJudge.arm(
                "nobody is killed", part: spared, asked: share, mayBeInconclusive: false)
        ]
        for (index, way) in ways.enumerated() {
            let part = try await runs.run(
                "clean-\(index + 1)", way + ["--iterations", "\(share)"])
            let name = way.isEmpty ? "any moment" : way.joined(separator: " ")
            arms.append(DetectionJudge.arm(name, part: part, asked: share))
        }
        return arms
    }

    private func detect(_ bug: PlantedBug) async throws -> Detection {
        var rows: [IterationRow] = []
        var tried = 0
        while tried < bug.iterations {
            let count = tried == 0 ? min(Self.firstBatch, bug.iterations) : bug.iterations - tried
            let part = try await runs.with(seed: runs.seed &+ UInt64(tried)).run(
                tried == 0 ? bug.name : "\(bug.name)-more",
                bug.options + ["--iterations", "\(count)"],
                variables: worker.environment(planting: bug))
            guard part.hasAllRows else {
                return Detection(
                    bug: bug.name, outcome: .notRun(part.complaint), iterations: tried,
                    checkers: [], reason: "")
            }
            rows += part.rows
            tried += count
            let detection = DetectionJudge.detection(of: bug, in: rows, tried: tried)
            if detection.outcome == .caught { return detection }
        }
        return DetectionJudge.detection(of: bug, in: rows, tried: tried)
    }
}
