import RigModel
import RigSettings
import Testing

/// Command line > the profile > `default` > built in.
@Suite struct PrecedenceTests {
    private static let file = """
        profiles:
          default: {iterations: 1, gate: [a], trigger: bytes, at: 2MB, worker: curl, tls: true}
          ci: {iterations: 2, thresholds: [256KB, 1MB], stratify: true, tls: false}
          own: {command: [curl, "{url}"]}
          film: {video: film.mp4, quiet: true, stratify: false}
        """

    struct Case: CustomTestStringConvertible {
        let option: String
        var profile: String?
        var words: [String] = []
        /// Nil if the option keeps its built-in value.
        let values: [String]?

        var testDescription: String {
            "\(option) \(profile ?? "-") \(words.joined(separator: " "))"
        }
    }

    @Test(arguments: [
        // Each level alone, and each over the one below it.
        Case(option: "video-size", values: nil),
        Case(option: "iterations", values: ["1"]),
        Case(option: "iterations", profile: "default", values: ["1"]),
        Case(option: "iterations", profile: "ci", values: ["2"]),
        Case(option: "iterations", profile: "ci", words: ["--iterations", "4"], values: ["4"]),
        Case(option: "iterations", words: ["--iterations=4"], values: ["4"]),
        // A profile inherits what it leaves out from `default`.
        Case(option: "gate", profile: "ci", values: ["a"]),
        // A list of a higher source replaces the lower one's list; they are not joined.
        Case(option: "gate", words: ["--gate", "d", "--gate=e"], values: ["d", "e"]),
        Case(option: "thresholds", profile: "ci", values: ["256KB,1MB"]),
        Case(option: "stratify", profile: "ci", values: ["true"]),
        // A profile can reset a flag of `default`.
        Case(option: "tls", profile: "ci", values: ["false"]),
        Case(option: "verbose", words: ["-v"], values: ["true"]),
        // An option that belongs to one choice is dropped when another choice is made.
        Case(option: "at", values: ["2MB"]),
        Case(option: "at", words: ["--trigger", "time"], values: nil),
        Case(option: "at", profile: "ci", values: nil),
        Case(option: "worker", profile: "own", values: nil),
        Case(option: "worker", words: ["--", "wget", "{url}"], values: nil),
        Case(option: "command", profile: "own", values: ["curl", "{url}"]),
        Case(option: "command", profile: "own", words: ["--worker", "wget"], values: nil),
        Case(option: "video", profile: "film", words: ["--video-size", "1MB"], values: nil),
        Case(option: "quiet", profile: "film", words: ["-v"], values: nil),
        // A value may look like an option, and the words after -- are no options.
        Case(option: "gate", words: ["--gate", "--seed", "--seed", "7"], values: ["--seed"]),
        Case(option: "seed", words: ["--", "x", "--seed", "7"], values: nil),
        // What was taken back can be set again by a higher source.
        Case(option: "at", profile: "ci", words: ["--at", "3MB"], values: ["3MB"]),
        // To reset a flag is no choice.
        Case(option: "at", profile: "film", values: ["2MB"]),
        // A source that makes two choices keeps what it sets itself.
        Case(option: "at", words: ["--at", "1MB", "--trigger", "time"], values: ["1MB"]),
        // The words after -- are set like an option, but have no such name.
        Case(option: "command", words: ["--command", "wget"], values: nil),
    ])
    func theHighestSourceThatSpeaksOfAnOptionCounts(_ test: Case) throws {
        let settings = try Sample.settings(
            file: Self.file, profile: test.profile, words: test.words)
        #expect(settings[test.option]?.values == test.values)
    }

    @Test func theWordsSayWhatApplies() throws {
        let given = ["--seed", "7", "--profile", "ci", "--gate=b"]
        let line = GivenWords(given, options: Sample.options)
        let settings = try Sample.settings(file: Self.file, profile: "ci", words: given)
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
            ["--config=a.yml", "x", "--profile", "ci", "--profile", "own", "-v"],
            options: Sample.options)
        #expect(line["config"] == "a.yml")
        #expect(line["profile"] == "own")
        #expect(line["no-config"] == nil)
        #expect(line.remaining == ["x", "-v"])
    }

    @Test func aCommandStandsBehindTheWords() throws {
        let settings = try Sample.settings(file: Self.file, profile: "own", words: ["--seed=7"])
        let words = settings.words(given: ["--seed=7"])
        #expect(words.suffix(4) == ["--seed=7", "--", "curl", "{url}"])
        #expect(!words.contains("--worker=curl"))
    }
}
