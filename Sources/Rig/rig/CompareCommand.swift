internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigReport
internal import RigVerdict

/// `rig compare`: compares runs side by side, with statistics.
struct CompareCommand: AsyncParsableCommand {
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
            """)

    @Argument(
        help: "Run folders, or files of iterations; the first is the one to compare with.")
    var runs: [String]

    @Flag(name: .long, help: "Print the comparison as CSV instead of a table.")
    var csv = false

    @Flag(name: .long, help: "Print it as Markdown.")
    var markdown = false

    @Flag(name: .long, help: "Print it as JSON.")
    var json = false

    @Option(
        name: .long,
        help: ArgumentHelp("Also write it as a page with curves.", valueName: "file"))
    var html: String?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard [csv, markdown, json].count(where: { $0 }) < 2 else {
            throw ValidationError(
                "--csv, --markdown and --json are three forms of one table; give one of them.")
        }
    }

    func run() async throws {
        let console = output.console
        try await console.guarded { try compare(console) }
    }

    private func compare(_ console: Console) throws -> RigModel.ExitStatus {
        if let html { try PageFile.check(html, option: "--html") }
        let comparison = try RunComparison(of: runs.map { try .stored($0, console: console) })
        if let html {
            try PageFile.write(ComparisonPage.text(comparison), to: html, option: "--html")
        }
        console.result(text(of: comparison))
        return .success
    }

    private func text(of comparison: RunComparison) -> String {
        if csv { return ComparisonCSV.text(comparison) }
        if markdown { return ComparisonMarkdown.text(comparison) }
        if json { return ComparisonJSON.text(comparison) }
        return ComparisonTable.text(comparison)
    }
}

extension ComparableRun {
    /// A run in a folder, or the rows in a file anywhere.
    ///
    /// - Parameters:
    ///   - path: a run folder, the iterations.csv in it, or another file of that form.
    ///   - console: reports a torn line.
    /// - Returns: the run; without facts if there is no manifest beside its rows.
    /// - Throws: ``RigError`` with exit code 65 when it cannot be read.
    static func stored(_ path: String, console: Console) throws -> ComparableRun {
        guard isLoneFile(path) else {
            let stored = try StoredRun(path)
            let rows = try stored.rows(console: console)
            try PlanCheck.check(rows, against: stored.manifest)
            return ComparableRun(name: path, rows: rows, facts: stored.manifest.facts)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw RigError(.data, "cannot read \(path); name a run folder or its iterations.csv")
        }
        return ComparableRun(
            name: path, rows: try StoredRun.rows(in: data, file: path, console: console),
            facts: nil)
    }

    /// True for a file of rows without a manifest beside it.
    private static func isLoneFile(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return false }
        let beside = URL(fileURLWithPath: path).deletingLastPathComponent()
            .appendingPathComponent("manifest.json").path
        return (path as NSString).lastPathComponent != "iterations.csv"
            || !FileManager.default.fileExists(atPath: beside)
    }
}

extension Manifest {
    /// Facts that can make runs differ in kind and that are not in their rows.
    var facts: [ComparableRun.Fact] {
        let faults = (originFaults ?? []).map(\.text).joined(separator: " ")
        let settings = (settings ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let values: [(String, String)] = [
            ("video", video.source), ("video length", "\(video.length)"),
            ("kills per iteration", "\(plan.kills)"),
            ("durability", plan.policies.first?.durability.rawValue ?? ""),
            ("bandwidth", bandwidth.map { "\($0)/s" } ?? "unlimited"),
            ("origin faults", faults.isEmpty ? "none" : faults),
            ("settings", settings.isEmpty ? "none" : settings.joined(separator: " ")),
            ("environment", environment.map { ShellWord.assignments($0) } ?? "none"),
            ("rig", versions["rig"] ?? "unknown"), ("judge", versions["judge"] ?? "unknown"),
            ("commit", provenance?.commit ?? "unknown"),
            ("processor", machine.processor), ("cores", "\(machine.cores)"),
            ("file system", machine.fileSystem), ("jobs", jobsInWords),
        ]
        return values.map { ComparableRun.Fact(name: $0.0, value: $0.1) }
    }
}
