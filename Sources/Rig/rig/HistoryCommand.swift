internal import ArgumentParser
internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigRun
internal import RigVerdict

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Figures of runs over time: append, merge, page, badge.",
        discussion: """
            A history is one SQLite file. Gates can compare with it: --gate 'loss_percent < +1 vs \
            history' --history FILE.

            Examples:
              rig history add results/latest
              rig history page
            """,
        subcommands: [
            AddToHistoryCommand.self, HistoryPageCommand.self, HistoryBadgeCommand.self,
            MergeHistoriesCommand.self,
        ])

    func run() async throws { throw Rig.noCommand(in: "rig history") }
}

struct HistoryOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The history's file.", valueName: "file"), completion: .file())
    var history = "results/history.sqlite"
}

struct AddToHistoryCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Append runs to the history; it is made where there is none.",
        discussion: """
            All runs are added, or none. One that is there already is left as it is; one that was \
            resumed since is completed. Kept are its rows and what its manifest says of the job.

            Examples:
              rig history add results/latest
              rig history add results/nightly --commit v2.1
            """)

    @Argument(help: "Run folders, or the iterations.csv in them.", completion: .directory)
    var runs: [String]

    @OptionGroup var file: HistoryOptions

    @Option(
        help: ArgumentHelp(
            "What was tested; by default the commit that GITHUB_SHA or CI_COMMIT_SHA names.",
            valueName: "name"))
    var commit: String?

    @Flag(help: "Print what was done as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let entries = try runs.map {
            try HistoryFile.Entry.stored(
                $0, commit: commit, environment: ProcessInfo.processInfo.environment,
                console: console)
        }
        let history = try HistoryFile(file.history, creates: true)
        let additions = try history.add(entries)
        try tell(zip(entries.map(\.run), additions), in: history, json: json, console)
        return .success
    }
}

struct MergeHistoriesCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Append the runs of other histories, such as those of other machines.",
        discussion: """
            All runs are added, or none. A run that both have is kept once. The other files are \
            only read.

            Examples:
              rig history merge other.sqlite
              rig history merge arm.sqlite --history all.sqlite
            """)

    @Argument(help: "Files of other histories.", completion: .file(extensions: ["sqlite"]))
    var files: [String]

    @OptionGroup var file: HistoryOptions
    @Flag(help: "Print what was done as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let others = try files.map { try HistoryFile($0) }
        let history = try HistoryFile(file.history, creates: true)
        let done = try history.merge(others)
        try tell(done.map { ($0.run, $0.addition) }, in: history, json: json, console)
        return .success
    }
}

struct HistoryPageCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Write a page with loss, violations, recovery and left-out share, run by run.",
        discussion: """
            Each job and policy has a line of each figure. Where its level changes is marked: by \
            the Mann-Whitney test of rig compare at every place, corrected for all places and \
            lines, so that a history without a change gets a mark in at most 1 % of cases. The \
            page needs nothing but itself. The exit code is 0 whatever changes: conditions are for \
            gates.

            Examples:
              rig history page
              rig history page --out page.html --last 200
            """)

    @OptionGroup var file: HistoryOptions

    @Option(
        help: ArgumentHelp("The page's file, or - for standard output.", valueName: "file"),
        completion: .file())
    var out = "history.html"

    @Option(
        help: ArgumentHelp("How many of the newest runs are drawn and searched.", valueName: "n"))
    var last = 1000

    @Flag(help: "Print the figures and changes as JSON; no page is written.") var json = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard last >= 1 else { throw ValidationError("--last must be at least 1.") }
    }

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        if !json { try PageFile.check(out, option: "--out") }
        let history = try HistoryFile(file.history)
        let report = HistoryReport(of: try history.runs(), newest: last)
        if json {
            console.result(HistoryJSON.text(report))
            return .success
        }
        try PageFile.write(HistoryPage.text(report), to: out, option: "--out")
        guard out != "-" else { return .success }
        console.result(HistoryText.text(report) + out)
        return .success
    }
}

struct HistoryBadgeCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "badge",
        abstract: "Write a badge with what the newest run of each job came to.",
        discussion: """
            An SVG, or with --json what an endpoint of shields.io has to answer.

            Examples:
              rig history badge
              rig history badge --json --out badge.json
            """)

    @OptionGroup var file: HistoryOptions
    @Option(help: ArgumentHelp("The badge's left part.", valueName: "text")) var label = "kill test"

    @Option(
        help: ArgumentHelp("The badge's file, or - for standard output.", valueName: "file"),
        completion: .file())
    var out: String?

    @Flag(help: "Write JSON of shields.io's endpoint schema instead of an SVG.") var json = false
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let path = out ?? (json ? "badge.json" : "badge.svg")
        let badge = StatusBadge(of: try HistoryFile(file.history).runs(), label: label)
        try PageFile.write(
            json ? badge.json : badge.svg, to: path, is: json ? .badgeJSON : .badge,
            option: "--out")
        if path != "-" { console.result(path) }
        return .success
    }
}

/// Says what became of runs that were to be added.
private func tell(
    _ done: some Sequence<(HistoryRun, HistoryFile.Addition)>, in history: HistoryFile, json: Bool,
    _ console: Console
) throws {
    let words: [(run: String, what: String)] = done.map { run, addition in
        (run.runID, "\(addition)")
    }
    let total = try history.count()
    guard !json else {
        return console.result(HistoryJSON.text(added: words, to: history.path, total: total))
    }
    for (run, what) in words { console.result("\(what)  \(run)") }
    console.note("rig: \(history.path) has \(total.counted("run"))")
}
