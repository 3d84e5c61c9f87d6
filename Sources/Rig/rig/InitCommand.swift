internal import ArgumentParser
internal import RigModel
internal import RigReport
internal import RigRun

struct InitCommand: ConsoleCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a worker profile, settings and a CI job for a program of your own.",
        discussion: """
            The files are written into this folder, once the program was tested: it makes one \
            download without a kill, and three with a kill, and has to follow the rules for workers.

            Examples:
              rig init -- python3 get.py {url} {output}
              rig init --check './check.sh {dir} {said}' -- ./program {dir}
            """)

    @Option(
        help: ArgumentHelp(
            "Write settings for a program that downloads nothing, which this command judges; it is "
                + "tried at the first rig kill-test.", valueName: "command"))
    var check: String?

    @OptionGroup var output: OutputOptions

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "Behind --: the program, with its arguments. {url}, {dir}, {output}, {threshold} are "
                + "replaced; there is no shell.", valueName: "command"))
    var command: [String] = []

    func perform(_ console: Console) async throws -> RigModel.ExitStatus {
        try RigError.require(
            !command.isEmpty,
            "there is no program: give it with its arguments behind --, such as rig init -- "
                + "python3 get.py {url} {output}")
        if let objection = OptionRules.objection(to: check, of: "--check", ["dir", "said"]) {
            throw ValidationError(objection)
        }
        let files = try StarterFiles(for: command, judgedBy: check)
        if check == nil {
            let trial = try CheckWorkerCommand.parse(["--iterations", "3", "--"] + command)
            let report = try await ContractTrial(try trial.trialSettings(), console: console).run()
            guard report.status == .success else {
                console.result(ContractTable.text(report))
                console.error(
                    "nothing was written: "
                        + (report.status == .gateFailed
                            ? "the program breaks the contract, see above"
                            : "not all of the contract could be shown, see above; rig workers "
                                + "check makes more kills"))
                return report.status
            }
            console.detail(ContractTable.text(report))
        }
        for path in try files.write() { console.result("wrote  \(path)") }
        console.note("rig: next, run rig kill-test\(check == nil ? ", and rig audit" : "")")
        return .success
    }
}
