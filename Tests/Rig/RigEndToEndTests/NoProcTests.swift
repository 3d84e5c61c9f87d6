import Foundation
import Testing
import TestSupport

/// The programs where `/proc` is not mounted, as in a bare chroot.
///
/// Swift reads the arguments of a program from `/proc/self/cmdline`. Without it, `downloader fetch`
/// had none, printed an overview and ended with 0: a CI job was green, and nothing had been
/// fetched. `rig kill-test` did the same, or was ended by a signal: the library that runs
/// Swift's tasks looks for its threads there.
@Suite(.enabled(if: geteuid() == 0, "taking /proc away needs root"))
struct NoProcTests {
    private let place = Workplace()

    /// Runs a program that cannot see `/proc`.
    private func run(
        _ program: String, _ arguments: [String], in place: Workplace
    ) async throws -> Programs.Outcome {
        try await Programs.run(
            "/usr/bin/unshare",
            [
                "-m", "sh", "-c", "umount -l /proc && ! test -e /proc/self && exec \"$@\"",
                "sh", program,
            ] + arguments, in: place.url)
    }

    @Test func theDownloaderDoesWhatItIsToldTo() async throws {
        try await serving(["--video-size", "1MB"], in: place) { url in
            let cache = ["--cache", "cache"]
            for words in [["fetch", url], ["export", url, "--output", "film"]] {
                try await run(Programs.downloader, words + cache, in: place).exits(0)
            }
            try await run(Programs.downloader, ["status", "--json"] + cache, in: place)
                .exits(0).prints(url)
            try await curl("-s", "-o", "direct", url, in: place, exits: 0)
            #expect(place.file("film", is: try place.data("direct")))
        }
    }

    /// What a program is asked for, and how it ends.
    private static let calls: [(program: String, words: [String], code: Int32, says: String)] =
        [
            ("downloader", [], 64, "no command"), ("downloader", ["library"], 64, "no command"),
            ("downloader", ["status", "--cache", "no"], 66, "no cache"),
            ("downloader", ["proxy", "--cache", "cache"], 69, "mount -t proc"),
            ("rig", [], 64, "no command"), ("rig", ["kil-test"], 64, "kil-test"),
            ("rig", ["kill-test", "--iteration", "1"], 64, "--iteration"),
            ("rig", ["kill-test", "--iterations", "1"], 69, "mount -t proc"),
            ("rig", ["judge", "no"], 69, "mount -t proc"), ("rig", ["serve"], 69, "mount -t proc"),
            ("rig-confine", [], 64, "rig --help"),
            ("rig-confine", ["0", "sh", "-c", "echo $0 >&2; exit 7", "word"], 7, "word"),
        ]

    @Test(arguments: calls)
    func noCallIsASuccess(
        program: String, words: [String], code: Int32, says: String
    ) async throws {
        let outcome = try await run("\(Programs.folder)/\(program)", words, in: place)
            .exits(code).complains(says)
        #expect(outcome.output.isEmpty, "\(outcome.output)")
    }

    @Test(arguments: [("rig", "--help"), ("downloader", "--version")])
    func whatIsOnlyAskedForIsSaid(program: String, word: String) async throws {
        let outcome = try await run("\(Programs.folder)/\(program)", [word], in: place)
        #expect(outcome.exitCode == 0 && !outcome.output.isEmpty, "\(outcome.complaint)")
    }
}

/// A call that names no command, with `/proc`.
///
/// `rig history` was forgotten when the others were mended, and printed its overview with 0: so
/// the programs themselves are asked which of their commands only have others below them.
@Suite struct NoCommandTests {
    private struct Interface: Decodable {
        let command: Command
    }

    private struct Command: Decodable {
        let commandName: String
        let defaultSubcommand: String?
        let subcommands: [Command]?

        /// The words of every command that does nothing without one below it.
        func groups(above: [String] = []) -> [[String]] {
            guard let subcommands, !subcommands.isEmpty else { return [] }
            let words = above + [commandName]
            return (defaultSubcommand == nil ? [words] : [])
                + subcommands.flatMap { $0.groups(above: words) }
        }
    }

    @Test(arguments: [
        ("rig", ["rig", "rig history"]), ("downloader", ["downloader", "downloader library"]),
    ])
    func isNoSuccess(program: String, known: [String]) async throws {
        let place = Workplace()
        let path = "\(Programs.folder)/\(program)"
        let asked = try await Programs.run(path, ["--experimental-dump-help"], in: place.url)
        let groups = try JSONDecoder().decode(Interface.self, from: Data(asked.output.utf8))
            .command.groups()
        #expect(Set(groups.map { $0.joined(separator: " ") }).isSuperset(of: known))
        for words in groups {
            let name = words.joined(separator: " ")
            let rest = Array(words.dropFirst())
            let outcome = try await Programs.run(path, rest, in: place.url)
            #expect(outcome.exitCode == 64, "\(name)")
            #expect(outcome.output.isEmpty, "\(outcome.output)")
            outcome.complains("\(name) --help lists them")
            let help = try await Programs.run(path, rest + ["--help"], in: place.url, exits: 0)
            help.prints("USAGE: \(name)")
        }
    }
}
