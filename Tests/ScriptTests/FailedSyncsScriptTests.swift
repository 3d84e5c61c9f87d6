import Foundation
import Testing

/// `harness/failed-syncs` counts what stores do after a sync that fails, a launch at a time.
///
/// The rig is a tool of the test's, so no store is started.
@Suite struct FailedSyncsScriptTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Runs it with a rig that prints these rows, each its verdict, checkers, corrupt bytes and reason.
    private func measure(
        _ arguments: [String], rows: [[String]] = [["pass", "", "0", "exit code 1"]]
    ) throws -> Sandbox.Outcome {
        let lines = rows.map { row in
            "{\"event\": \"row\", \"verdict\": \"\(row[0])\", \"checkers\": \"\(row[1])\", "
                + "\"corrupt_bytes\": \(row[2]), \"reason\": \"\(row[3])\"}"
        }
        try sandbox.tool(
            "rig", "echo \"$*\" >>\"$log\"\ncat <<'END'\n\(lines.joined(separator: "\n"))\nEND")
        return try sandbox.run(
            "harness/failed-syncs", ["--out", sandbox.root.path + "/out"] + arguments,
            environment: ["RIG_BINARIES=\(sandbox.tools.path)"])
    }

    /// Zeros in the completed file counted as a refusal, and as bytes that are gone where some were gone
    /// as well.
    @Test func wrongBytesAreCorruptionWhateverElseIsFound() throws {
        let outcome = try measure(
            ["--calls", "6", "diskcache"],
            rows: [
                ["fail", "durability|completion", "2070", "zeros"],
                ["fail", "completion", "5", "zeros"],
                ["fail", "durability", "0", "gone"],
                ["fail", "completion|exit", "null", "exit code 1"],
                ["pass", "", "0", "call 9, fsync of state failed with EIO: exit code 1"],
                ["inconclusive", "", "null", "the work was done already"],
            ]
        ).exits(0)
        let cell = "1 gone, 2 corruption, 1 refuses, of 4"
        #expect(
            outcome.output.contains("\n| (`diskcache`) | \(cell) | \(cell) | \(cell) | \(cell) |"),
            "\(outcome.output)")
    }

    /// All eight syncs of PostgreSQL that failed were of `initdb`, and an answered put of etcd that was
    /// lost could not be seen.
    @Test(arguments: [
        ("postgres-on", "--on state/data/*"), ("redis-always", "--thresholds 32KB"),
        ("etcd", "--thresholds 32KB"), ("diskcache", "--thresholds 32KB"),
        ("git", "--thresholds 32KB"), ("git-all", "--thresholds 32KB"), ("leveldb", ""),
    ]) func someStoresNeedOptionsOfTheirOwn(store: String, options: String) throws {
        try measure([store]).exits(0)
        let words = "--error fsync-eio \(options) --after-fsync ".replacing("  ", with: " ")
        #expect(sandbox.log().count == 4)
        for line in sandbox.log() { #expect(line.contains(words), "\(line)") }
    }

    /// A row of another number of calls, or of other options, is no row of these.
    @Test func aRowIsKeptForItsCommandOnly() throws {
        try measure(["--calls", "5", "lmdb"]).exits(0)
        try measure(["--calls", "5", "lmdb"]).exits(0)
        #expect(sandbox.log().count == 4)
        try measure(["--calls", "6", "lmdb"]).exits(0)
        #expect(sandbox.log().count == 8)
    }
}
