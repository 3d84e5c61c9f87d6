internal import ArgumentParser
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// `rig report`: writes the page of a stored run; kills nothing.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Write the report page of a stored run.",
        discussion: """
            The page shows the run by its own gates, and needs nothing but itself. Its path is \
            printed. The exit code says whether it was written, not whether the gates hold: that \
            is what rig judge is for.
            """)

    @Argument(help: "The run folder, or the iterations.csv in it.")
    var run = "results/latest"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The page's file; report.html in the run folder by default.",
            valueName: "file"))
    var out: String?

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let console = output.console
        try await console.guarded { try report(console) }
    }

    private func report(_ console: Console) throws -> ExitStatus {
        let stored = try StoredRun(run)
        let manifest = stored.manifest
        let rows = try stored.rows(console: console)
        try PlanCheck.check(rows, against: manifest)
        let summary = try RunSummary(
            manifest: manifest, rows: rows, gates: try manifest.gates.map { try Gate($0) })
        let documents = RunDocuments(manifest: manifest, rows: rows, summary: summary)
        let page = ReportPage.text(documents.reported(from: stored.folder))
        let path = out ?? "\(stored.folder.path)/\(RunDocuments.page)"
        try PageFile.write(page, to: path, option: "--out")
        console.result(path)
        return .success
    }
}

/// A page in a file that the user named.
enum PageFile {
    /// Writes it whole.
    ///
    /// - Parameters:
    ///   - page: HTML.
    ///   - path: the file.
    ///   - option: the option by which another file can be named.
    /// - Throws: ``RigError`` with exit code 70 when it cannot be written.
    static func write(_ page: String, to path: String, option: String) throws {
        do {
            try page.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw RigError(
                .failure,
                "cannot write \(path): \(error.localizedDescription); name another file with "
                    + option)
        }
    }
}
