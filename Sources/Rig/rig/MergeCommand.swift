internal import ArgumentParser
internal import RigModel
internal import RigRun

/// `rig merge`: defines the options; ``Merge`` does the work.
struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join the parts of a partitioned run, then judge it.",
        discussion: """
            Parts are looked for in the folders named and two levels below. All must be of the \
            same plan; copies that are equal in every byte count once. Without gates \
            on the command line, the gates of the run itself apply.

            Exit codes: 97 when a part or rows of one are missing, 65 when parts contradict each \
            other; otherwise what the verdict says.

            Examples:
              rig merge parts
              rig merge parts --expect 8 --out whole
            """)

    @Argument(help: "Folders of parts, or parts.", completion: .directory)
    var folders: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "How many parts there have to be; by default as many as the parts say.",
            valueName: "n"))
    var expect: Int?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder of the whole run; the one named by default, where it holds all parts.",
            valueName: "dir"), completion: .directory)
    var out: String?

    @OptionGroup var gates: GateOptions

    @Flag(name: .long, help: "Print the summary as JSON instead of a table.")
    var json = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !folders.isEmpty else { throw ValidationError("Name the folder of the parts.") }
        guard expect ?? 1 >= 1 else { throw ValidationError("--expect must be at least 1.") }
    }

    func run() async throws {
        let console = output.console
        try await console.guarded {
            try Merge(
                folders, expected: expect, out: out, gates: try gates.given(),
                baseline: gates.baseline, json: json, console: console
            ).run()
        }
    }
}
