internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigRun

struct JudgeCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Apply gates again to a stored run, or join and judge its parts; kills nothing.",
        discussion: """
            Without gates on the command line, the gates of the run itself apply.

            The parts of a partitioned run are joined into a run folder first. They are looked for \
            in the folders named and two levels below. All must be of the same plan; copies that \
            are equal in every byte count once. The exit code is 97 when a part or rows of one \
            are missing, 65 when parts contradict each other.

            Examples:
              rig judge results/latest --gate 'lost_bytes.max <= 600KB'
              rig judge parts --expect 8 --out whole
            """)

    @Argument(
        help: "The run folder, or the iterations.csv in it; parts, or folders of parts.",
        completion: .directory)
    var runs = ["results/latest"]

    @Option(
        help: ArgumentHelp(
            "How many parts there have to be; by default as many as the parts say.",
            valueName: "n"))
    var expect: Int?

    @Option(
        help: ArgumentHelp(
            "The folder of the joined run; the one named by default, where it holds all parts.",
            valueName: "dir"), completion: .directory)
    var out: String?

    @OptionGroup var gates: GateOptions
    @Flag(help: "Print the summary as JSON instead of a table.") var json = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard expect ?? 1 >= 1 else { throw ValidationError("--expect must be at least 1.") }
    }

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let isJoined = runs.count > 1 || expect != nil || out != nil
        guard try isJoined || PartsSearch.hasParts(below: runs[0]) else {
            return try judge(runs[0], console)
        }
        return try Merge.run(
            runs, expected: expect, out: out, gates: try gates.given(),
            references: gates.references, json: json, console: console)
    }

    private func judge(_ run: String, _ console: Console) throws -> ExitStatus {
        let stored = try StoredRun(run)
        let manifest = stored.manifest
        if let partition = manifest.partition, gates.isEmpty {
            throw RigError.usage(
                "\(run) is \(partition.words), and the gates are for the whole run: "
                    + "judge the folder of all parts, or give gates for this one")
        }
        let criteria = try Criteria(of: manifest, given: gates.given(), gates.references)
        try criteria.check(manifest)
        let rows = try stored.plannedRows(console: console)
        let summary = try criteria.summary(of: manifest, rows)
        let run = ReportedRun(
            manifest: manifest, rows: rows, summary: summary, folder: stored.folder.path)
        console.result(run, json: json)
        run.publish(by: console)
        return summary.status
    }
}
