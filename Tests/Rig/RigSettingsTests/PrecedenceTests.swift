import RigModel
import RigSettings
import Testing

/// Command line > `RIG_*` environment > the profile > `default` > built in.
@Suite struct PrecedenceTests {
    private static let file = """
        profiles:
          default: {iterations: 1, gate: [a], trigger: bytes, at: 2MB, worker: curl}
          ci: {iterations: 2, thresholds: [256KB, 1MB], stratify: true}
          own: {command: [curl, "{url}"]}
          film: {video: film.mp4}
        """

    struct Case: CustomTestStringConvertible {
        let option: String
        var profile: String?
        var environment: [String: String] = [:]
        var words: [String] = []
        /// Nil if the option keeps its built-in value.
        let values: [String]?

        var testDescription: String {
            "\(option) \(profile ?? "-") \(environment) \(words.joined(separator: " "))"
        }
    }

    @Test(arguments: [
        // Each level alone, and each over the one below it.
        Case(option: "video-size", values: nil),
        Case(option: "iterations", values: ["1"]),
        Case(option: "iterations", profile: "default", values: ["1"]),
        Case(option: "iterations", profile: "ci", values: ["2"]),
        Case(
            option: "iterations", profile: "ci", environment: ["RIG_ITERATIONS": "3"],
            values: ["3"]),
        Case(
            option: "iterations", profile: "ci", environment: ["RIG_ITERATIONS": "3"],
            words: ["--iterations", "4"], values: ["4"]),
        Case(
            option: "iterations", environment: ["RIG_ITERATIONS": "3"], words: ["--iterations=4"],
            values: ["4"]),
        // An empty variable sets nothing.
        Case(option: "iterations", environment: ["RIG_ITERATIONS": ""], values: ["1"]),
        // A profile inherits what it leaves out from `default`.
        Case(option: "gate", profile: "ci", values: ["a"]),
        // A list of a higher source replaces the lower one's list; they are not joined.
        Case(option: "gate", environment: ["RIG_GATE": "b\nc\n"], values: ["b", "c"]),
        Case(
            option: "gate", environment: ["RIG_GATE": "b"],
            words: ["--gate", "d", "--gate=e"], values: ["d", "e"]),
        Case(option: "thresholds", profile: "ci", values: ["256KB,1MB"]),
        // A variable can reset a flag.
        Case(option: "stratify", profile: "ci", values: ["true"]),
        Case(
            option: "stratify", profile: "ci", environment: ["RIG_STRATIFY": "false"],
            values: ["false"]),
        Case(option: "verbose", words: ["-v"], values: ["true"]),
        // An option that belongs to one choice is dropped when another choice is made.
        Case(option: "at", values: ["2MB"]),
        Case(option: "at", words: ["--trigger", "time"], values: nil),
        Case(option: "at", profile: "ci", values: nil),
        Case(option: "at", environment: ["RIG_TRIGGER": "time"], values: nil),
        Case(option: "worker", profile: "own", values: nil),
        Case(option: "worker", words: ["--", "wget", "{url}"], values: nil),
        Case(option: "command", profile: "own", values: ["curl", "{url}"]),
        Case(option: "command", profile: "own", words: ["--worker", "wget"], values: nil),
        Case(option: "video", profile: "film", words: ["--video-size", "1MB"], values: nil),
        Case(option: "quiet", environment: ["RIG_QUIET": "true"], words: ["-v"], values: nil),
        // A value may look like an option, and the words after -- are no options.
        Case(option: "gate", words: ["--gate", "--seed", "--seed", "7"], values: ["--seed"]),
        Case(option: "seed", words: ["--", "x", "--seed", "7"], values: nil),
        // What was taken back can be set again by a higher source.
        Case(option: "at", profile: "ci", environment: ["RIG_AT": "3MB"], values: ["3MB"]),
        // To reset a flag is no choice.
        Case(option: "at", environment: ["RIG_STRATIFY": "false"], values: ["2MB"]),
        // A source that makes two choices keeps what it sets itself.
        Case(option: "at", words: ["--at", "1MB", "--trigger", "time"], values: ["1MB"]),
        // The words after -- are set like an option, but have neither its name nor a variable.
        Case(option: "command", words: ["--command", "wget"], values: nil),
        Case(option: "command", environment: ["RIG_COMMAND": "wget"], values: nil),
    ])
    func theHighestSourceThatSpeaksOfAnOptionCounts(_ test: Case) throws {
        let settings = try Sample.settings(
            file: Self.file, profile: test.profile, environment: test.environment,
            words: test.words)
        #expect(settings[test.option]?.values == test.values)
    }

    @Test func theWordsSayWhatApplies() throws {
        let given = ["--seed", "7", "--profile", "ci", "--gate=b", "--print-config"]
        let line = GivenWords(given, options: Sample.options)
        let settings = try Sample.settings(
            file: Self.file, profile: "ci", environment: ["RIG_QUIET": "false"], words: given)
        #expect(line.remaining == ["--seed", "7", "--gate=b"])
        #expect(
            settings.words(given: line.remaining) == [
                "--iterations=2", "--trigger=bytes", "--worker=curl", "--stratify",
                "--thresholds=256KB,1MB", "--seed", "7", "--gate=b",
            ])
    }

    /// An option without its value used to be dropped silently.
    ///
    /// With an empty variable, `rig plan --profile $PROFILE` planned by `default`. Now the argument
    /// parser reports it.
    @Test(arguments: [
        (["--seed", "7", "--profile"], ["--seed", "7", "--profile"]),
        (["--config"], ["--config"]), (["--profile", "--", "curl"], ["--profile", "--", "curl"]),
        (["--iterations"], ["--iterations"]),
    ])
    func anOptionWithoutItsValueIsLeftToTheParser(words: [String], remaining: [String]) {
        #expect(GivenWords(words, options: Sample.options).remaining == remaining)
    }

    /// Options that choose the sources are read, and are not handed on.
    @Test func optionsThatAreNoSettingsAreTakenOut() {
        let line = GivenWords(
            ["--config=a.yml", "x", "--profile", "ci", "--profile", "own", "--print-config", "-v"],
            options: Sample.options)
        #expect(line["config"] == "a.yml")
        #expect(line["profile"] == "own")
        #expect(line["print-config"] == "true")
        #expect(line["no-config"] == nil)
        #expect(line.remaining == ["x", "-v"])
    }

    @Test func aCommandStandsBehindTheWords() throws {
        let settings = try Sample.settings(file: Self.file, profile: "own", words: ["--seed=7"])
        let words = settings.words(given: ["--seed=7"])
        #expect(words.suffix(4) == ["--seed=7", "--", "curl", "{url}"])
        #expect(!words.contains("--worker=curl"))
    }

    @Test func aVariableThatSetsNothingIsMentioned() throws {
        let settings = try EnvironmentSettings(
            ["RIG_ITERATION": "3", "RIG_WITNESS": "x", "HOME": "/", "RIG_COLOUR_OF_SKY": "blue"],
            options: Sample.options)
        #expect(settings.settings.isEmpty)
        #expect(
            settings.notes == [
                "RIG_COLOUR_OF_SKY sets no option",
                "RIG_ITERATION sets no option; did you mean RIG_ITERATIONS?",
            ])
    }

    /// A script with an empty variable ran `RIG_WORKER= rig kill-test`.
    ///
    /// That tested the reference downloader instead of the script's worker, and passed.
    @Test(
        arguments: ["RIG_WORKER", "RIG_WORKLOAD", "RIG_FAULT", "RIG_PROFILE", "RIG_CONFIG"],
        ["", " ", "\t\n"])
    func anEmptyChoiceOfWhatIsTestedIsRefused(name: String, value: String) {
        let error = #expect(throws: RigError.self) {
            try EnvironmentSettings([name: value], options: Sample.options)
        }
        #expect(error?.status == .usage)
        #expect(error?.message.contains("\(name) is set and empty") == true)
    }

    @Test func aFlagIsTrueOrFalse() {
        #expect(throws: RigError.self) {
            try EnvironmentSettings(["RIG_QUIET": "1"], options: Sample.options)
        }
    }
}
