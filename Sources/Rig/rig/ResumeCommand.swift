internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigRun

struct ResumeCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Finish a run that was cut short, then judge it.",
        discussion: """
            Rows of whole iterations are kept as they are; the rest of the plan is carried out with \
            the same seed, worker, video and settings. Where nothing is left to do, the run is \
            judged.

            Examples:
              rig resume
              rig resume results/latest --jobs 2
            """)

    @Argument(help: "The run folder, or the unfinished folder of a part.", completion: .directory)
    var run = "results/latest"

    @Option(help: ArgumentHelp("Iterations at once; by default as many as before.", valueName: "n"))
    var jobs: Int?

    @OptionGroup var moved: MovedBaseline
    @Flag(help: "Print the summary as JSON instead of a table.") var json = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let objection = jobs.flatMap(JobFit.objection(toNumber:)) {
            throw ValidationError(objection)
        }
    }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        try await Resume(
            run, jobs: jobs, references: moved.references, startedAt: .now, json: json,
            console: console
        ).run()
    }
}
