import Foundation
import Testing

/// `--help` of every command.
@Suite struct HelpTests {
    private static let rigCommands = [
        "", "init", "audit", "kill-test", "judge", "compare", "history", "history add",
        "history page", "history badge", "history merge", "replay", "explain", "resume", "list",
        "open", "report", "plan", "self-check", "verify-claims", "serve", "workers",
        "workers list", "workers check",
    ]
    private static let downloaderCommands = [
        "", "fetch", "status", "export", "clear", "proxy", "library", "library refresh",
        "library list", "library clear",
    ]

    private func help(_ program: String, _ command: String) async throws -> [Substring] {
        let place = Workplace()
        let outcome = try await Programs.run(
            program, command.split(separator: " ").map(String.init) + ["--help"], in: place.url,
            environment: ["COLUMNS": "80"], exits: 0)
        #expect(outcome.complaint.isEmpty, "\(outcome.complaint)")
        return outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test(
        arguments: rigCommands.map { ("rig", $0) } + downloaderCommands.map { ("downloader", $0) })
    func everyCommandHasTwoExamples(program: String, command: String) async throws {
        let lines = try await help("\(Programs.folder)/\(program)", command)
        let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
        #expect(examples.count == 2, "\(examples)")
        for example in examples {
            #expect(example.hasPrefix("  \(program) \(command)"), "\(example)")
            // The help of the program has examples of its commands.
            guard !command.isEmpty, command != "library" else { continue }
            let words = example.split(separator: " ").prefix { $0 != "--" }
            for option in words where option.hasPrefix("--") {
                #expect(lines.contains { $0.contains("  \(option) ") }, "\(example)")
            }
        }
        // The argument parser does not break this line.
        let long = lines.filter { $0.count > 80 && !$0.hasPrefix("USAGE: ") }
        #expect(long.isEmpty, "\(long)")
        // Each command that is shown is in the list above.
        let shown = lines.drop { $0 != "SUBCOMMANDS:" }.dropFirst().prefix { !$0.isEmpty }
        let commands = program == "rig" ? Self.rigCommands : Self.downloaderCommands
        for line in shown where line.hasPrefix("  ") && !line.hasPrefix("   ") {
            let name = line.split(separator: " ").first ?? ""
            #expect(commands.contains(command.isEmpty ? "\(name)" : "\(command) \(name)"))
        }
    }

    @Test func bothProgramsSayTheSameVersion() async throws {
        let place = Workplace()
        let judge = try await rig("--version", in: place)
        let defendant = try await downloader("--version", in: place, exits: 0)
        #expect(defendant.complaint.isEmpty)
        #expect(!judge.output.isEmpty && defendant.output == judge.output)
    }

    @Test(arguments: ["kill-test", "plan"])
    func optionsAreInGroups(command: String) async throws {
        let lines = try await help(Programs.rig, command)
        let titles = lines.filter { $0.hasSuffix(":") && $0 == $0.uppercased() }
        #expect(
            titles == [
                "RUN:", "WORKER:", "KILLS:", "VIDEO AND ORIGIN:", "GATES:",
                "SETTINGS IN A FILE:", "PARALLEL RUNS:", "RESULTS:", "OPTIONS:",
            ])
    }
}
