internal import ArgumentParser
internal import RigModel

/// The command that judges any program, and what goes with it.
struct CheckOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Kill any program, behind --, and let this command judge what is left: it ends with 0 for "
                + "what is sound and with 1 for a violation, its last line being the reason. With "
                + "anything else the row is left out. {dir} is the program's folder, {said} the file "
                + "with the lines that it had said before the kill; a shell reads the command.",
            valueName: "command"))
    var check: String?

    @Option(
        help: ArgumentHelp(
            "With --check: fills {dir} once; every iteration begins with a copy of that.",
            valueName: "command"))
    var prepare: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "With --check: ends a program that does not end by itself, such as 2s after its launch.",
            valueName: "time"))
    var time: String?

    @Flag(help: "With --check: checks what a kill left before the relaunch, too, on a copy.")
    var checkBefore = false

    @Option(
        help: ArgumentHelp(
            "With --check: damages {dir} so that the check has to notice it, which is tried before "
                + "the first kill.", valueName: "command"))
    var checkSees: String?

    @Option(
        help: ArgumentHelp(
            "With --check: where the program promises, by a line for each thing that is done: stdout "
                + "(the default), a file below {dir}, or none.", valueName: "where"))
    var said: String?

    @Flag(help: "With --check: does not start a killed program again.")
    var noRelaunch = false

    /// What judges the program; nil for one that downloads.
    var judged: ProgramCheck? {
        guard let check else { return nil }
        var judged = ProgramCheck(check)
        judged.prepare = prepare
        judged.sees = checkSees
        judged.isRunBefore = checkBefore
        judged.said = said ?? ProgramCheck.standardOutput
        judged.seconds = time.flatMap(Seconds.init(argument:))?.value
        judged.relaunches = !noRelaunch
        return judged
    }

    /// Rejects options that judge nothing, and a check that is not told where to look.
    func reject(in workload: Workload) throws {
        guard let check else {
            let given: [(String, Bool)] = [
                ("--workload check", workload == .check), ("--prepare", prepare != nil),
                ("--for", time != nil), ("--check-before", checkBefore),
                ("--check-sees", checkSees != nil), ("--said", said != nil),
                ("--no-relaunch", noRelaunch),
            ]
            guard let (option, _) = given.first(where: { $0.1 }) else { return }
            throw ValidationError(
                "\(option) goes with --check 'COMMAND', which judges what a kill left.")
        }
        try require(
            workload == .check,
            "--check judges a program that downloads nothing; leave out --workload "
                + "\(workload.rawValue).")
        let commands: [(String, String?)] = [
            ("--check", check), ("--check-sees", checkSees), ("--prepare", prepare),
        ]
        for case (let option, let command?) in commands {
            let names = Set(Placeholders.names(in: command))
            try require(
                names.contains("dir"),
                "\(option) is not told the program's folder; put {dir} into its command.")
            let known: Set<String> = option == "--check" ? ["dir", "said"] : ["dir"]
            if let other = names.subtracting(known).sorted().first {
                throw ValidationError(
                    "there is no placeholder {\(other)} in \(option); put a blank into braces that "
                        + "are text.")
            }
        }
        if let time, Seconds(argument: time) == nil {
            throw ValidationError("'\(time)' is no time; write --for 2s, 500ms or 1.5s.")
        }
        let parts = (said ?? "").split(separator: "/", omittingEmptySubsequences: false)
        guard parts.first != "" || said == nil, !parts.contains("..") else {
            throw ValidationError("--said names a file below {dir}, stdout or none.")
        }
    }

    /// Rejects kills at lines of a program that is said to say none.
    func check(trigger: TriggerKind) throws {
        guard trigger == .said, said == ProgramCheck.nothing else { return }
        throw ValidationError(
            "--trigger said kills a program right after a line, and with --said none it says none; "
                + "leave out one of them.")
    }
}
