import Foundation
import Testing

/// `rig init`: from a program to a gated run.
@Suite struct InitTests {
    private let place = Workplace()

    private static let curl = ["curl", "-q", "-sS", "-N", "-C", "-", "-o", "{output}", "{url}"]

    /// What is written is used as it is, and passes.
    @Test func whatIsWrittenRuns() async throws {
        let written = try await rig(["init", "--"] + Self.curl, in: place, exits: 0)
        let paths = ["worker.yml", "rig.yml", ".github/workflows/kill-test.yml"]
        for path in paths { written.prints("wrote  \(path)\n") }
        // An empty folder `results` was left, too.
        let left = try place.names(in: ".").filter { !$0.hasPrefix("std") }
        #expect(left == [".github", "rig.yml", "worker.yml"])
        let run = try await rig(
            "kill-test", "--iterations", "2", "--video-size", "2MB", "--trigger", "bytes",
            "--seed", "7", in: place, exits: 0)
        #expect(run.output.hasPrefix("PASS  curl survived 2 kills"), "\(run.output)")
        // The commands of the job are those of the rig.
        let job = try place.text(".github/workflows/kill-test.yml")
        let commands = job.matches(of: /run: rig (.*)/).map { $0.output.1 }
        #expect(commands.count == 2 && commands[1].hasPrefix("audit "))
        // It installs the package of the rig that wrote it.
        let version = try await rig("--version", in: place).output.prefix {
            $0 != "\n" && $0 != " "
        }
        #expect(job.contains("VERSION: \"\(version)\"") && job.contains("sha256sum --check"))
        let audit = try await rig(
            commands[1].split(separator: " ").map(String.init), "--minutes", "0.001", in: place)
        #expect([0, 98, 99].contains(audit.exitCode ?? -1), "\(audit.output)\(audit.complaint)")
        audit.prints("killed all over its work")

        try await rig(
            ["init", "--"] + Self.curl, in: place, exits: 64,
            complains: "worker.yml is there already")
    }

    /// The profile had a name that no profile may have.
    @Test func aProgramWithAnyNameGetsAProfile() async throws {
        try await Programs.run(
            "/bin/sh", ["-c", "ln -s \"$(command -v curl)\" my@tool"], in: place.url, exits: 0)
        try await rig(["init", "--", "./my@tool"] + Self.curl.dropFirst(), in: place, exits: 0)
        try await rig("plan", "--json", in: place, exits: 0)
    }

    /// A program that breaks the contract would fail every pull request.
    @Test func nothingIsWrittenForAProgramThatBreaksTheContract() async throws {
        let short = ["sh", "-c", "curl -s \"$0\" | head -c 9 > \"$1\"", "{url}", "{output}"]
        try await rig(
            ["init", "--"] + short, in: place, exits: 99, complains: "nothing was written")
        #expect(!place.has("worker.yml"))
    }

    @Test(arguments: [
        (["init"], 64, "there is no program"), (["init", "--"], 64, "no command follows --"),
        (["init", "--", "curl", "{url}"], 64, "{output}"),
        (["init", "--", "./missing", "{url}", "{output}"], 69, "./missing"),
        (["init", "--check", "./check", "--", "true", "{dir}"], 64, "put {dir} into"),
        (["init", "--check", "./check {dir}", "--", "true"], 64, "put {dir} where"),
    ])
    func whatCannotBeIsRefused(arguments: [String], code: Int32, word: String) async throws {
        try await rig(arguments, in: place, exits: code, complains: word)
        #expect(!place.has("worker.yml") && !place.has("rig.yml"))
    }
}
