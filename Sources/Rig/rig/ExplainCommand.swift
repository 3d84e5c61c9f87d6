internal import ArgumentParser
internal import RigModel
internal import RigRun

struct ExplainCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Name the call that a failed kill is about, the rule it broke, and its cure.",
        discussion: """
            Of a power cut: the iteration is carried out again and recorded, with the places at \
            which the program makes its calls. Of a state that fails as the kill did, as much is \
            put back as can be, until nothing more can: what remains is the cause. Then syncs are \
            tried in the recorded life, and the cheapest that helps is carried out for the program \
            in new launches, which are killed as the run planned it. Of a kill at a system call, \
            or of a call that failed, that call is named.

            Exit codes: 0 explained, 98 when no launch fails so again, 99 when a kill fails although \
            the cure was carried out, 64 for a kill that cannot be explained, 65 for a run that \
            cannot be read or whose video has changed.

            Examples:
              rig explain --iteration 6
              rig explain results/latest --iteration 6 --json
            """)

    @Argument(
        help: "The run folder, the iterations.csv in it, or a folder of its evidence.",
        completion: .directory)
    var run = "results/latest"

    @Option(help: "Which iteration, from 1; the first that failed by default.") var iteration: Int?
    @Option(help: "Of which policy; needed when the run has several.") var policy: String?
    @Option(help: "How often it is carried out until it fails as it did.") var times = 10
    @Option(help: "How many new launches are killed with the cure; 0 for none.") var kills = 20
    @Flag(help: "Print the explanation as JSON.") var json = false
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try require((1...10_000).contains(times), "--times must be from 1 to 10000.")
        try require((0...10_000).contains(kills), "--kills must be from 0 to 10000.")
    }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        let target = try ReplayTarget(run, failed: iteration, policy: policy, console: console)
        let explain = try Explain(target: target, times: times, kills: kills, console: console)
        return try await explain.run(json: json)
    }
}
