internal import ArgumentParser
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// `rig judge`: applies gates again to a stored run; kills nothing.
struct JudgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Apply gates again to a stored run; kills nothing.",
        discussion: "Without gates on the command line, the gates of the run itself apply.")

    @Argument(help: "The run folder, or the iterations.csv in it.")
    var run = "results/latest"

    @OptionGroup var gates: GateOptions

    @Flag(name: .long, help: "Print the summary as JSON instead of a table.")
    var json = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let console = output.console
        try await console.guarded { try judge(console) }
    }

    private func judge(_ console: Console) throws -> ExitStatus {
        let folder = try RunFolder(existing: folderPath)
        let manifest = try storedManifest(folder)
        let given = try gates.given() ?? manifest.gates.map { try Gate($0) }
        try Gate.check(
            given,
            size: RunSize(
                policies: manifest.plan.policies.map(\.name),
                iterations: manifest.plan.iterations))
        let rows = try storedRows(folder, console: console)
        try PlanCheck.check(rows, against: manifest)
        let summary = try RunSummary(manifest: manifest, rows: rows, gates: given)
        console.result(
            json
                ? SummaryJSON.text(summary)
                : TerminalTable.text(summary, color: console.usesColor))
        return summary.status
    }

    /// Whoever names the rows of a run means the run.
    private var folderPath: String {
        let file = URL(fileURLWithPath: run)
        var isFolder: ObjCBool = false
        guard file.lastPathComponent == "iterations.csv",
            FileManager.default.fileExists(atPath: run, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return run }
        let folder = (run as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    private func storedManifest(_ folder: RunFolder) throws -> Manifest {
        guard let text = try folder.text(of: "manifest.json") else {
            throw RigError(
                .data,
                "\(folder.path) has no manifest.json, so it is no run folder; name one that rig "
                    + "wrote")
        }
        do {
            return try ManifestJSON.read(text)
        } catch {
            throw RigError(
                .data, "cannot read \(folder.path)/manifest.json: \(error); restore it from a copy")
        }
    }

    private func storedRows(_ folder: RunFolder, console: Console) throws -> [IterationRow] {
        // A run that was killed before its first row has no file yet: nothing of it is damaged.
        guard let text = try folder.text(of: "iterations.csv") else { return [] }
        do {
            let file = try IterationsCSV.read(text.utf8)
            if let line = file.tornLine {
                console.note(
                    "rig: line \(line) of \(folder.path)/iterations.csv is torn, as a killed rig "
                        + "leaves it; it does not count")
            }
            return file.rows
        } catch {
            throw error.rigError(file: "\(folder.path)/iterations.csv")
        }
    }
}
