internal import ArgumentParser
internal import RigModel
internal import RigReport
internal import RigRun
internal import RigVerdict

struct CompareCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Two or more runs (or CSV files) side by side, per policy, with statistics.",
        discussion: """
            Every run is compared with the first; the policies of a single run are compared with \
            its first. Rows that were planned alike are pairs (the same --seed makes them so): \
            Wilcoxon signed-rank and a paired bootstrap; others: Mann-Whitney and a bootstrap. \
            '~' stands for no significant difference at 5 % over the whole table (Holm). The exit \
            code is 0 whatever differs: conditions are for gates, as in --gate 'lost_bytes.mean < \
            +5% vs baseline' --baseline RUN.

            Examples:
              rig compare before after
              rig compare before after --html compared.html
            """)

    @Argument(
        help: "Run folders, or files of iterations; the first is the one to compare with.",
        completion: .file(extensions: ["csv"]))
    var runs: [String]

    @Flag(help: "Print the comparison as CSV instead of a table.") var csv = false
    @Flag(help: "Print it as Markdown.") var markdown = false
    @Flag(help: "Print it as JSON.") var json = false

    @Option(
        help: ArgumentHelp("Also write it as a page with curves.", valueName: "file"),
        completion: .file())
    var html: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [csv, markdown, json].count(where: { $0 }) < 2 else {
            throw ValidationError(
                "--csv, --markdown and --json are three forms of one table; give one of them.")
        }
    }

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        if let html { try PageFile.check(html, option: "--html") }
        let comparison = try RunComparison(of: runs.map { try .stored($0, console: console) })
        if let html {
            try PageFile.write(ComparisonPage.text(comparison), to: html, option: "--html")
        }
        // On the standard output is the page.
        if html != "-" { console.result(text(of: comparison)) }
        return .success
    }

    private func text(of comparison: RunComparison) -> String {
        if csv { return ComparisonCSV.text(comparison) }
        if markdown { return ComparisonMarkdown.text(comparison) }
        if json { return ComparisonJSON.text(comparison) }
        return ComparisonTable.text(comparison)
    }
}
