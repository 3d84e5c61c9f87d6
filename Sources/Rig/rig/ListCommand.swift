internal import ArgumentParser
internal import RigModel
internal import RigReport
internal import RigRun

struct ListCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List past runs, the newest first.",
        discussion: """
            The verdict is the one that rig judge would give now, by the gates of the run. A run \
            in which a rig is at work is RUNNING. One that was cut short is INCOMPLETE: rig resume \
            goes on with it. A folder of parts, of a self-check or of verify-claims has runs of its \
            own: rig list FOLDER.

            Examples:
              rig list
              rig list results/self-check --json
            """)

    @Argument(help: "The folder that run folders are in.", completion: .directory)
    var folder = "results"

    @Flag(help: "Print the list as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) throws -> RigModel.ExitStatus {
        let runs = try StoredRuns(in: folder, console: console).listings
        console.result(json ? RunsJSON.text(runs) : RunsTable.text(runs))
        for run in runs where run.status == nil && !run.isPart {
            console.note("rig: \(run.folder) is not judged: \(run.reason ?? "")")
        }
        if runs.isEmpty {
            console.note("rig: there are no run folders in \(folder); rig kill-test makes one")
        }
        return .success
    }
}
