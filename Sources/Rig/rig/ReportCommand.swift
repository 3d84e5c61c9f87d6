internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigRun

struct ReportCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write the report page of a stored run.",
        discussion: """
            The page shows the run by its own gates, and needs nothing but itself. Its path is \
            printed. The exit code says whether it was written, not whether the gates hold: that \
            is what rig judge is for.

            Examples:
              rig report
              rig report results/latest --out page.html
            """)

    @Argument(help: "The run folder, or the iterations.csv in it.", completion: .directory)
    var run = "results/latest"

    @Option(
        help: ArgumentHelp(
            "The page's file, or - for standard output; report.html in the run folder by default.",
            valueName: "file"), completion: .file())
    var out: String?

    @OptionGroup var moved: MovedBaseline
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let stored = try StoredRun(run)
        let manifest = stored.manifest
        let path = out ?? "\(stored.folder.path)/\(ReportFormat.page)"
        try PageFile.check(path, option: "--out")
        // Rows of another run are said before a gate or a reference that cannot be used.
        let rows = try stored.plannedRows(console: console)
        let criteria = try Criteria(
            of: manifest, moved.references,
            remedy: "leave it out: only gates of the run itself apply to its page")
        let summary = try criteria.summary(of: manifest, rows)
        let run = ReportedRun(
            manifest: manifest, rows: rows, summary: summary, folder: stored.folder.path)
        let page = ReportPage.text(run.detailed(from: stored.folder))
        try PageFile.write(page, to: path, option: "--out")
        // On the standard output is the page.
        if path != "-" { console.result(path) }
        if rows.isEmpty {
            console.note(
                "rig: \(stored.folder.path) has no rows: its page shows that they are missing, and "
                    + "rig judge ends with \(ExitStatus.incomplete.rawValue); carry it out with "
                    + "rig resume \(ShellWord.quoted(stored.folder.path))")
        }
        return .success
    }
}
