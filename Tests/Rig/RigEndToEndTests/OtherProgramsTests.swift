import Foundation
import RigModel
import TestSupport
import Testing

/// The examples with programs of the system: git, a server, dpkg, editors and archivers.
@Suite struct OtherProgramsTests {
    private let place = Workplace()

    private static let examples = "\(OwnWorker.repository)/harness/examples/any-program"

    private func kill(
        _ program: [String], checkedBy check: String, _ options: [String], _ more: String...,
        exits code: Int32, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> [IterationRow] {
        try await place.kill(
            program.enumerated().map { $0 == 0 ? "\(Self.examples)/\($1)" : $1 },
            ["--seed", "4", "--check", "\(Self.examples)/\(check)"] + options + more,
            exits: code, sourceLocation: sourceLocation
        ).rows
    }

    /// A killed git keeps each commit that it has made.
    ///
    /// It does not sync them.
    @Test(
        .enabled(if: installed("git") != nil),
        arguments: [
            (["--iterations", "4"], 0),
            (
                [
                    "--fault", "power-cut-torn", "--disk", "posix", "--states", "4",
                    "--iterations", "2", "--no-relaunch",
                ], 99
            ),
        ])
    func gitKeepsItsCommitsAndSyncsThemNot(options: [String], code: Int) async throws {
        let rows = try await kill(
            ["git.sh", "{dir}"], checkedBy: "check-git.sh {dir} {said}", options, "--check-sees",
            "find {dir}/.git/objects -type f | head -n 1 | xargs rm", exits: Int32(code))
        #expect(rows.contains { $0.checkers.contains(.check) } == (code == 99))
    }

    @Test(
        .enabled(if: installed("redis-server") != nil),
        arguments: [("always", ["--check-before"], 0), ("everysec", Self.cuts, 99)])
    func aServerWithItsClientIsKilled(sync: String, options: [String], code: Int) async throws {
        let rows = try await kill(
            ["redis.sh", "{dir}", sync], checkedBy: "check-redis.sh {dir} {said}", options,
            "--iterations", "3", "--check-sees",
            "truncate -s 200 {dir}/appendonlydir/*.incr.aof", exits: Int32(code))
        #expect(rows.contains { $0.checkers.contains(.check) } == (code == 99))
    }

    private static let cuts = [
        "--fault", "power-cut-torn", "--states", "2", "--trigger", "said", "--no-relaunch",
    ]

    @Test(.enabled(if: installed("dpkg-deb") != nil))
    func dpkgKnowsWhatItHasNotFinished() async throws {
        try await kill(
            ["dpkg.sh", "run", "{dir}"], checkedBy: "dpkg.sh check {dir} {said}",
            ["--prepare", "\(Self.examples)/dpkg.sh new {dir}", "--check-before"],
            "--check-sees", "rm {dir}/root/usr/share/two/file7", "--trigger", "syscall",
            "--iterations", "4", exits: 0
        ).all { $0.verdict != .fail }
    }

    struct Tool: Sendable, CustomTestStringConvertible {
        let name: String
        /// Kills that find the file neither the old nor the new one; nil where none does.
        var breaks: [String]?

        var testDescription: String { name }
    }

    /// Most kills at calls find what such a tool has only begun to write.
    private static let few = ["--iterations", "6"]

    /// Python's zipfile says which file is damaged, and ends with 0; of a tar archive only the names
    /// were looked at: the checks passed.
    @Test(
        arguments: [
            ("zip", #"data[data.rindex(b"PK\x01\x02") + 16] ^= 1"#), ("tar", "data[1100] ^= 1"),
        ].filter { installed($0.0) != nil })
    func theCheckOfAnArchiveSeesADamagedFile(tool: String, damage: String) async throws {
        let program = """
            import sys
            data = bytearray(open(sys.argv[1], "rb").read())
            \(damage)
            open(sys.argv[1], "wb").write(data)
            """
        let script = """
            mkdir state && "$1" new "$2" state && "$1" check "$2" state /dev/null || exit 2
            python3 -c "$3" "state/data.$2" || exit 2
            "$1" check "$2" state /dev/null
            """
        let outcome = try await Programs.run(
            "/bin/sh", ["-c", script, "sh", "\(Self.examples)/save.sh", tool, program],
            in: place.url, exits: 1)
        outcome.prints("is neither the old file nor the new one")
    }

    /// Which tools write the file itself, and which one beside it.
    ///
    /// vim writes the file itself in 60 of its 219 calls: 42 kills miss them all once in a million.
    /// zip removes the old archive before it renames the new one.
    @Test(arguments: Nightly.cases(tools.filter { installed($0.name) != nil }, usual: 6))
    func aToolSavesAFile(tool: Tool) async throws {
        let code: Int32 = tool.breaks == nil ? 0 : 99
        let rows = try await kill(
            ["save.sh", "run", tool.name, "{dir}"],
            checkedBy: "save.sh check \(tool.name) {dir} {said}", tool.breaks ?? Self.few,
            "--prepare", "\(Self.examples)/save.sh new \(tool.name) {dir}", "--trigger",
            "syscall", "--no-relaunch", exits: code)
        #expect(rows.contains { $0.checkers == [.check] } == (code == 99))
    }

    static let tools = [
        Tool(name: "sed"), Tool(name: "sort", breaks: Self.few),
        Tool(name: "zip", breaks: ["--at", "unlink:1:after", "--iterations", "2"]),
        Tool(name: "rsync"), Tool(name: "tar", breaks: Self.few), Tool(name: "gzip"),
        Tool(name: "vim", breaks: ["--iterations", "42"]), Tool(name: "perl"),
        Tool(name: "cp", breaks: Self.few), Tool(name: "mv", breaks: Self.few),
    ]
}
