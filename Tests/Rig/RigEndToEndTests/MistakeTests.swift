import Foundation
import Testing

/// Forty mistakes of a new user: each gets a line that says what is wrong, and what to do.
@Suite struct MistakeTests {
    private let place = Workplace()

    /// What a user typed, and the answer.
    struct Mistake: CustomTestStringConvertible {
        let words: [String]
        let code: Int32
        /// What is wrong.
        let wrong: String
        /// What to do.
        let remedy: String
        /// What the line ends with.
        let end: String

        var testDescription: String { words.joined(separator: " ") }

        init(
            _ words: [String], _ code: Int32, _ wrong: String, _ remedy: String, end: String = ""
        ) {
            (self.end, self.words, self.code, self.wrong) = (end, words, code, wrong)
            self.remedy = remedy
        }
    }

    private static func kill(_ command: String...) -> [String] {
        ["kill-test", "--iterations", "1", "--video-size", "1MB", "--"] + command
    }

    private static func script(_ text: String) -> [String] {
        kill("sh", "-c", text, "{url}", "{output}")
    }

    static let words: [Mistake] = [
        Mistake(["kil-test"], 64, "no command 'kil-test'", "did you mean 'kill-test'?"),
        Mistake(["reprot"], 64, "no command 'reprot'", "did you mean 'report'?"),
        Mistake(["start"], 64, "no command 'start'", "rig --help"),
        Mistake(["kill-test", "--iteration", "1"], 64, "'--iteration'", "'--iterations'"),
        Mistake(["kill-test", "--iterations", "ten"], 64, "'ten'", "--iterations <iterations>"),
        Mistake(["kill-test", "--iterations", "0"], 64, "--iterations", "from 1"),
        Mistake(["kill-test", "--seed", "-1"], 64, "--seed", "--help"),
        Mistake(["kill-test", "--gate", "violation == 0"], 64, "'violation'", "'violations'?"),
        Mistake(["kill-test", "--gate", "violations"], 64, "'violations'", "violations == 0"),
        Mistake(["kill-test", "--gate", "1MB:violations == 0"], 64, "1MB", "--thresholds"),
        Mistake(["kill-test", "--thresholds", "512XB"], 64, "'512XB'", "512KB"),
        Mistake(["kill-test", "--video-size", "big"], 64, "'big'", "--video-size"),
        Mistake(["kill-test", "--max-loss-percent", "many"], 64, "'many'", "such as 5"),
        Mistake(
            ["kill-test", "--trigger", "phase", "--at", "commiting"], 64, "commiting",
            "'committing'?"),
        Mistake(["kill-test", "--worker", "culr"], 64, "'culr'", "'curl'?"),
        Mistake(["kill-test", "--worker", "./nope.yml"], 64, "./nope.yml", "profile"),
        Mistake(["kill-test", "--workload", "playbak"], 64, "'playbak'", "'playback'"),
        Mistake(["kill-test", "--fault", "sigkil"], 64, "'sigkil'", "sigkill"),
        Mistake(["kill-test", "--origin-fault", "latncy:5ms"], 64, "'latncy'", "'latency'?"),
        Mistake(["kill-test", "--profile", "nightly"], 64, "'nightly'", "--config"),
        Mistake(
            ["kill-test", "--video", "https://127.0.0.1:9/x.mp4"], 69, "cannot fetch",
            "check the address"),
        Mistake(["kill-test", "--video", "nofile.mp4"], 64, "nofile.mp4", "Check the path"),
        Mistake(["kill-test", "--"], 64, "no command follows --", "give a program"),
        Mistake(["kill-test", "python3", "get.py"], 64, "'python3', 'get.py'", "put -- before"),
        Mistake(["init", "curl", "-o", "{output}", "{url}"], 64, "'-o'", "put -- before"),
        Mistake(
            ["kill-test", "--worker", "curl", "--", "curl", "{url}"], 64, "two workers",
            "give one of them"),
        Mistake(kill("curl", "-s", "{url}"), 64, "where its video goes", "put {output}"),
        Mistake(kill("curl", "-o", "{output}"), 64, "what to fetch", "put {url}"),
        Mistake(kill("curl", "-o", "{out}", "{url}"), 64, "{out}", "{output}"),
        Mistake(
            kill("./missing.sh", "{url}", "{output}"), 69, "'./missing.sh'", "make it executable"),
        Mistake(
            kill("no-such-program", "{url}", "{output}"), 69, "'no-such-program'", "install it"),
        Mistake(kill("curl -s {url} > {output}"), 69, "no shell reads them", "sh -c"),
        Mistake(["judge", "nothere"], 65, "no run folder nothere", "name one"),
        Mistake(["resume", "nothere"], 65, "no run folder nothere", "name one"),
        Mistake(["list", "nothere"], 65, "no folder nothere", "name the one"),
        Mistake(["replay", "--iteration", "3"], 65, "results/latest", "name one"),
        Mistake(["compare", "a", "b"], 65, "no run folder a", "name one"),
        Mistake(["workers", "chek", "curl"], 64, "'chek'", "./chek.yml"),
    ]

    private static let alone = "make its command work on its own first"

    /// What shows only when the program runs.
    static let programs: [Mistake] = [
        Mistake(
            ["kill-test", "--thresholds", "1KB", "--trigger", "time"], 69,
            "1024 bytes is too small", "use at least 16KB"),
        Mistake(script("exit 1"), 69, "exit code 1", alone),
        Mistake(script("cat > /dev/null; exit 3"), 69, "exit code 3", alone),
        Mistake(script("cd assets && curl -s \"$0\" -o \"$1\""), 69, "assets", alone),
        Mistake(script("cat \"$HOME/.netrc\" && exit 1"), 69, ".netrc: No such file", alone),
        Mistake(script("curl -s \"${TOKEN:?is not set}\""), 69, "is not set", alone),
        Mistake(script("curl -sS \"https${0#http}\" -o \"$1\""), 69, "curl: (35)", alone),
        Mistake(
            script("curl -s \"$0\" > elsewhere"), 69, "cannot create elsewhere",
            "a worker may write only below {dir}"),
        // It says nothing of the place that it is refused.
        Mistake(
            script("curl -s \"$0\" -o elsewhere"), 69, "exit code 23",
            "it may write only below {dir}", end: "/elsewhere\n"),
        Mistake(
            script("(sleep 99 &); curl -s \"$0\" -o \"$1\""), 69, "(sleep) running",
            "run it in the foreground"),
        Mistake(
            ["kill-test", "--time-limit", "2"] + script("sleep 99").dropFirst(), 69,
            "did not end within 2 s", "give --time-limit SECONDS"),
    ]

    @Test(arguments: programs)
    func aProgramIsTriedFirst(_ mistake: Mistake) async throws {
        try await expectAnswer(to: mistake, in: place)
        // A run without a kill was the latest, and `rig open` showed it.
        #expect(!place.has("results"))
    }

    /// The run before stays the latest, and its page the one that `rig open` shows.
    @Test func aRefusedCommandIsNotTheLatestRun() async throws {
        let right = try await rig(Self.script("curl -sS \"$0\" -o \"$1\""), in: place)
        #expect(right.exitCode != 69, "\(right.complaint)")
        func runs() throws -> [String] { try place.names(in: "results") }
        let before = try runs()
        #expect(before.contains("latest"))
        let command = ["--"] + Self.script("exit 1").drop { $0 != "--" }.dropFirst()
        for words in [["kill-test", "--iterations", "1"], ["audit"]] {
            try await rig(words + command, in: place, exits: 69)
            #expect(try runs() == before)
        }
    }

    @Test(arguments: words)
    func aWordIsAnsweredAtOnce(_ mistake: Mistake) async throws {
        try await expectAnswer(to: mistake, in: place)
        #expect(!place.has("results/latest"))
    }

    private func expectAnswer(to mistake: Mistake, in place: Workplace) async throws {
        let outcome = try await rig(mistake.words, in: place, exits: mistake.code)
            .complains(mistake.wrong).complains(mistake.remedy)
        #expect(outcome.complaint.hasSuffix(mistake.end), "\(outcome.complaint)")
        // No table of dashes.
        #expect(outcome.output.isEmpty, "\(outcome.output)")
    }
}
