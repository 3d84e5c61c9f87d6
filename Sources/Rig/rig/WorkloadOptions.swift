internal import ArgumentParser
internal import RigModel

extension Workload: ExpressibleByArgument {
    /// Those that a user chooses by name: `--check` implies its own.
    static var allValueStrings: [String] { allCases.filter { $0 != .check }.map(\.rawValue) }
}

/// `KEY=VALUE`.
struct SettingArgument: ExpressibleByArgument {
    let key: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        key = String(parts[0])
        value = String(parts[1])
    }
}

extension [SettingArgument] {
    var values: [String: String] {
        Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// Why they cannot be meant; nil if they can.
    var objection: String? {
        Set(map(\.key)).count == count ? nil : "--set names a key twice; name each once."
    }
}

/// What the worker does until it is killed, and how it is configured.
struct WorkloadOptions: ParsableArguments {
    @Option(
        name: .customLong("workload"),
        help: ArgumentHelp(
            "What the worker does: download (the default); playback (a player seeks and cancels in "
                + "one video); switching (a player switches between five); two-players (each plays a "
                + "video with a threshold of its own); offline-library (a list and its images are "
                + "refreshed). A program with --check has a work of its own.", valueName: "name"))
    var named: Workload?

    @OptionGroup var program: CheckOptions

    /// What is named, or what ``CheckOptions/check`` implies.
    var workload: Workload { named ?? (program.check == nil ? .download : .check) }

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Fill a placeholder of the worker's own, e.g. storage=rows; may be repeated.",
            valueName: "key=value"))
    var settings: [SettingArgument] = []

    var spec: RunSpec { RunSpec(workload: workload, settings: settings.values) }
}

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
            "With --check: fills {dir} before the kills; every iteration begins with a copy of that.",
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

    @Flag(help: "With --check: does not start a killed program again.") var noRelaunch = false

    @Option(
        help: ArgumentHelp(
            "With --check: another place where the program may write, such as /dev/shm; may be "
                + "repeated. What is left there stays.", valueName: "path"))
    var writable: [String] = []

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
}
