internal import ArgumentParser
internal import OriginFaults
internal import RigModel
internal import RigRun

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

    func check() throws {
        try require(Set(map(\.key)).count == count, "--set names a key twice; name each once.")
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

    /// With less room, the data being read and the data being saved would not fit.
    static let leastCapacity: Int64 = 4 << 20

    var spec: RunSpec { RunSpec(workload: workload, settings: settings.values) }

    func check(policies: [Policy], video options: VideoOptions) throws {
        try settings.check()
        try program.reject(in: workload)
        guard workload.hasBytes else { return try checkProgram(video: options) }
        try checkCapacity(policies)
        try checkPlayers(policies)
        if workload.videoCount > 1 || workload == .offlineLibrary, options.video != nil {
            throw ValidationError(
                "--workload \(workload.rawValue) generates what it serves; leave out --video.")
        }
        if workload == .offlineLibrary, policies.contains(where: { $0.threshold == nil }) {
            throw ValidationError(
                "--workload offline-library has no 'disabled': a list and its images are always "
                    + "saved; give sizes to --thresholds.")
        }
        let versions = options.originFault.filter(\.kind.facts.isNewVersion)
        try require(
            versions.count < 2,
            "--origin-fault \(versions[0].text) and \(versions[1].text) are two new versions of "
                + "one video; give one.")
        // A player cannot tell a broken connection from a broken worker.
        if workload != .download,
            let fault = options.originFault.first(where: {
                !$0.kind.facts.isHarmless && !spec.changes(by: $0)
            })
        {
            throw ValidationError(
                "--origin-fault \(fault.text) cannot be judged with --workload "
                    + "\(workload.rawValue): what it breaks may be the worker's doing as well. Use "
                    + "it with --workload download.")
        }
    }

    /// Rejects what only a program can have that downloads something.
    private func checkProgram(video options: VideoOptions) throws {
        let given: [(String, Bool)] = [
            ("--set", !settings.isEmpty), ("--video", options.video != nil),
            ("--bandwidth", options.bandwidth != nil), ("--port", options.port != 0),
            ("--tls", options.tls), ("--origin-fault", !options.originFault.isEmpty),
        ]
        // Others have a default, so their values do not tell whether they were given.
        let words = Configuration.words.prefix { $0 != "--" }
        let others = ["--thresholds", "--durability", "--video-size", "--video-limit"]
        let written = others.first { option in
            words.contains { $0 == option || $0.hasPrefix("\(option)=") }
        }
        guard let option = given.first(where: { $0.1 })?.0 ?? written else { return }
        throw ValidationError(
            "\(option) is about a download, and --check judges a program without one; leave it out."
        )
    }

    private func checkPlayers(_ policies: [Policy]) throws {
        if workload == .twoPlayers, let one = policies.first(where: { $0.players == nil }) {
            throw ValidationError(
                "--workload two-players needs a threshold for each player, and has \(one.name); "
                    + "give two that differ, such as --thresholds 256KB+1MB.")
        }
        if workload != .twoPlayers, let two = policies.first(where: { $0.players != nil }) {
            throw ValidationError(
                "the thresholds \(two.name) are for two players; add --workload two-players.")
        }
    }

    /// Rejects a capacity with which the promises could not be kept.
    private func checkCapacity(_ policies: [Policy]) throws {
        guard spec.values["capacity"] != nil else { return }
        try require(
            workload.hasPlayer,
            "--set capacity needs a workload with a player: use it with --workload playback "
                + "or switching.")
        guard let largest = policies.map(\.threshold?.bytes).max(by: { ($0 ?? 0) < ($1 ?? 0) }),
            let largest, policies.allSatisfy({ $0.threshold != nil })
        else {
            throw ValidationError(
                "--set capacity cannot be judged with 'disabled': a request is saved as a whole "
                    + "then, and may not fit; give sizes to --thresholds.")
        }
        let least = max(Self.leastCapacity, 16 * largest)
        guard let capacity = spec.capacity, capacity.bytes >= least else {
            throw ValidationError(
                "--set capacity must be a size of at least \(ByteSize(bytes: least)): 4MB, and 16 "
                    + "times the threshold.")
        }
    }
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
