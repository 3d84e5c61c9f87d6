internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigRun
internal import RigVerdict

/// `rig judge`: applies gates again to a stored run; kills nothing.
struct JudgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Apply gates again to a stored run; kills nothing.",
        discussion: """
            Without gates on the command line, the gates of the run itself apply.

            Examples:
              rig judge results/latest --gate 'lost_bytes.max <= 600KB'
              rig judge --json
            """)

    @Argument(help: "The run folder, or the iterations.csv in it.", completion: .directory)
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
        let stored = try StoredRun(run)
        let manifest = stored.manifest
        if let partition = manifest.partition, gates.isEmpty {
            throw RigError(
                .usage,
                "\(run) is \(partition.words), and the gates are for the whole run: "
                    + "join the parts with rig merge, or give gates for this one")
        }
        let given = try gates.given() ?? manifest.judgedBy
        let baseline = try GateBaseline.given(
            gates.baseline, recorded: manifest.baseline, for: given)
        var size = try manifest.size
        size.baseline = baseline
        try Gate.check(given, size: size)
        let rows = try stored.rows(console: console)
        try PlanCheck.check(rows, against: manifest)
        let summary = try RunSummary(
            manifest: manifest, rows: rows, gates: given, baseline: baseline)
        let documents = RunDocuments(manifest: manifest, rows: rows, summary: summary)
        console.result(documents.named(stored.folder.path), json: json)
        documents.publish(folder: stored.folder.path, console: console)
        return summary.status
    }
}
