import Foundation
import Testing

extension EndToEndTests {
    /// `rig init`: from a program to a gated run.
    @Suite struct InitTests {
        private static let curl = ["curl", "-q", "-sS", "-N", "-C", "-", "-o", "{output}", "{url}"]

        /// What is written is used as it is, and passes.
        @Test func whatIsWrittenRuns() async throws {
            let place = try Workplace()
            let written = try await rig(["init", "--"] + Self.curl, in: place)
            #expect(written.exitCode == 0, "\(written.output)\(written.complaint)")
            let paths = ["worker.yml", "rig.yml", ".github/workflows/kill-test.yml"]
            for path in paths { #expect(written.output.contains("wrote  \(path)\n")) }
            let run = try await rig(
                [
                    "kill-test", "--iterations", "2", "--video-size", "2MB", "--trigger", "bytes",
                    "--seed", "7",
                ], in: place)
            #expect(run.exitCode == 0, "\(run.output)\(run.complaint)")
            #expect(run.output.hasPrefix("PASS  curl survived 2 kills"), "\(run.output)")
            // The commands of the job are those of the rig.
            let job = try String(
                contentsOfFile: place.path(".github/workflows/kill-test.yml"), encoding: .utf8)
            let commands = job.matches(of: /run: rig (.*)/).map { $0.output.1 }
            #expect(commands.count == 2 && commands[1].hasPrefix("audit "))
            // It installs the package of the rig that wrote it.
            let version = try await rig(["--version"], in: place).output.prefix {
                $0 != "\n" && $0 != " "
            }
            #expect(job.contains("VERSION: \"\(version)\"") && job.contains("sha256sum --check"))
            let audit = try await rig(
                commands[1].split(separator: " ").map(String.init) + ["--minutes", "0.02"],
                in: place)
            #expect(
                [0, 98, 99].contains(audit.exitCode ?? -1), "\(audit.output)\(audit.complaint)")
            #expect(audit.output.contains("killed all over its work"), "\(audit.output)")

            let again = try await rig(["init", "--"] + Self.curl, in: place)
            #expect(again.exitCode == 64 && again.complaint.contains("worker.yml is there already"))
        }

        /// The profile had a name that no profile may have.
        @Test func aProgramWithAnyNameGetsAProfile() async throws {
            let place = try Workplace()
            let outcome = try await Programs.run(
                "/bin/sh", ["-c", "ln -s \"$(command -v curl)\" my@tool"], in: place.url)
            #expect(outcome.exitCode == 0)
            let written = try await rig(
                ["init", "--", "./my@tool"] + Self.curl.dropFirst(), in: place)
            #expect(written.exitCode == 0, "\(written.output)\(written.complaint)")
            let plan = try await rig(["plan", "--json"], in: place)
            #expect(plan.exitCode == 0, "\(plan.complaint)")
        }

        /// A program that breaks the contract would fail every pull request.
        @Test func nothingIsWrittenForAProgramThatBreaksTheContract() async throws {
            let place = try Workplace()
            let short = ["sh", "-c", "curl -s \"$0\" | head -c 9 > \"$1\"", "{url}", "{output}"]
            let refused = try await rig(["init", "--"] + short, in: place)
            #expect(refused.exitCode == 99, "\(refused.output)\(refused.complaint)")
            #expect(refused.complaint.contains("nothing was written"))
            #expect(!FileManager.default.fileExists(atPath: place.path("worker.yml")))
        }

        @Test(arguments: [
            (["init"], 64, "there is no program"), (["init", "--"], 64, "no command follows --"),
            (["init", "--", "curl", "{url}"], 64, "{output}"),
            (["init", "--", "./missing", "{url}", "{output}"], 69, "./missing"),
        ])
        func whatCannotBeIsRefused(arguments: [String], code: Int32, word: String) async throws {
            let place = try Workplace()
            let outcome = try await rig(arguments, in: place)
            #expect(outcome.exitCode == code, "\(outcome.complaint)")
            #expect(outcome.complaint.contains(word), "\(outcome.complaint)")
            #expect(!FileManager.default.fileExists(atPath: place.path("worker.yml")))
        }
    }
}
