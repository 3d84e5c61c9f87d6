internal import ArgumentParser
internal import RigModel
internal import RigProfiles
internal import RigRun

/// The program to kill.
struct WorkerOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The worker: the name of a profile, which 'rig workers' lists, or a profile's file, by a "
                + "path with a / or an end in .yml. \(WorkerProfile.referenceName) by default.",
            valueName: "name|file"), completion: .worker)
    var worker: String?

    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "After --: any program as worker, with its arguments. {url}, {dir}, {output}, "
                + "{threshold} are replaced; there is no shell.", valueName: "command"))
    var command: [String] = []

    /// Rejects a command line that ends with `--`, as from a script with an empty variable: the
    /// argument parser cannot tell, and the reference worker would be tested.
    static func checkTail(of words: [String]) throws(RigError) {
        guard let terminator = words.firstIndex(of: "--"),
            words[(terminator + 1)...].allSatisfy({ $0.allSatisfy(\.isWhitespace) })
        else { return }
        throw RigError.usage(
            "no command follows --: give a program with its arguments there (is a variable of a "
                + "script empty?), or leave out --")
    }

    /// Rejects a program's command without `--` before it: its options would be the rig's.
    static func checkSeparator(in words: [String]) throws(RigError) {
        let taking = ["kill-test", "audit", "init", "workers"]
        guard let name = words.first, taking.contains(name), !words.contains("--") else { return }
        let isAboutProgram = words.contains { $0.contains("{url}") || $0.contains("{output}") }
        do {
            _ = try Rig.parseAsRoot(words)
        } catch  where Rig.exitCode(for: error) == .validationFailure {
            let text = Rig.message(for: error)
            guard isAboutProgram || text.contains("unexpected argument") else { return }
            throw RigError.usage(
                "\(text); put -- before the program's command, as in: rig \(name) -- curl -o "
                    + "{output} {url}")
        } catch {}
    }

    /// The worker option for the manifest; nil for a command.
    var option: String? { command.isEmpty ? worker ?? WorkerProfile.referenceName : nil }

    /// The chosen worker's profile as written, or with the bugs that the environment plants.
    func profile(
        judgedBy check: ProgramCheck?, writable: [String]
    ) throws(RigError) -> WorkerProfile {
        guard let check else { return try Self.profile(worker, command) }
        try RigError.require(
            worker == nil,
            "--check judges a program that is given behind --, and --worker names one that"
                + " downloads; leave out one of them")
        return try Workers.program(command, judgedBy: check, writable: writable)
    }

    /// The profile that a name or a command stands for, its program names unresolved.
    static func profile(_ worker: String?, _ command: [String]) throws(RigError) -> WorkerProfile {
        try RigError.require(
            worker == nil || command.isEmpty,
            "--worker and a command behind -- are two workers; give one of them")
        let profile =
            command.isEmpty
            ? try Workers.named(worker ?? WorkerProfile.referenceName)
            : try Workers.command(command)
        return profile.asStartedHere
    }
}
