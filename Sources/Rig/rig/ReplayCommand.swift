internal import ArgumentParser
internal import RigModel
internal import RigRun

struct ReplayCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Repeat one iteration of a stored run, and say how often it fails as it did.",
        discussion: """
            The iteration is carried out again with the same seed, trigger, fault, video, settings \
            and workload. It is reproduced when the same checkers find it again; failures by \
            others are counted apart. The worker is started in the folder of the run, if that is \
            there.

            Exit codes: 99 when a repetition failed, 98 when none was conclusive, 0 when every \
            conclusive one passed, 65 for a run that cannot be read or whose video has changed.

            Examples:
              rig replay --iteration 6
              rig replay results/latest --iteration 6 --times 5 --shrink
            """)

    @Argument(
        help: "The run folder, the iterations.csv in it, or a folder of its evidence.",
        completion: .directory)
    var run = "results/latest"

    @Option(help: "Which iteration, from 1; a folder of evidence says so itself.")
    var iteration: Int?

    @Option(help: "Of which policy; needed when the run has several.") var policy: String?

    @Option(help: "Which kill of the iteration, from 1; the first that failed by default.")
    var kill: Int?

    @Option(help: "How often.") var times = 20

    @Flag(
        help: ArgumentHelp(
            "Then find the smallest threshold, moment and video that still fail so, and print the "
                + "command that shows it."))
    var shrink = false

    @Flag(help: "Print the outcome as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require((1...10_000).contains(times), "--times must be from 1 to 10000.")
    }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        let target = try ReplayTarget(
            run, iteration: iteration, policy: policy, kill: kill, console: console)
        let replay = try Replay(target: target, times: times, shrinks: shrink, console: console)
        return try await replay.run(json: json)
    }
}
