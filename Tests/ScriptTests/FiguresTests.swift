import Foundation
import Testing

/// `harness/ci/figures` finds quoted figures that are in no committed run, or only in an outdated
/// one.
///
/// Figures of a judge that had changed since stayed in the README for weeks, beside the output of a
/// run that was not committed.
@Suite struct FiguresTests {
    private let sandbox: Sandbox
    private static let commit = String(repeating: "a", count: 40)
    private static let run = "results/reference/default"

    init() throws {
        sandbox = try Sandbox()
        for (path, line) in [
            ("Sources/Rig/RigVerdict/Judge/Judge.swift", "    package static let version = 2"),
            (
                "Sources/Rig/RigModel/Plan/Manifest.swift",
                "    package static let schemaVersion = 1"
            ),
            (
                "Sources/Rig/RigModel/Verdict/IterationRow.swift",
                "    package static let schema = 2"
            ),
            (
                "Sources/Rig/RigModel/Verdict/PolicySummary.swift",
                "    package static let schema = 2"
            ),
        ] {
            try sandbox.write("package enum A {\n\(line)\n}\n", to: path)
        }
        try sandbox.write("default: rig kill-test\n", to: "harness/lib/parts.txt")
        try sandbox.write(
            "part,commit,exit,seconds,date\ndefault,\(Self.commit),0,101,2026-01-01\n",
            to: "results/reference/parts.csv")
        try sandbox.write(
            """
            {"schema" : 1, "versions" : {"judge" : "2"},
             "provenance" : {"commit" : "\(Self.commit)", "tree" : "clean"}}
            """, to: "\(Self.run)/manifest.json")
        try sandbox.write("schema,lost_bytes\n2,524288\n", to: "\(Self.run)/iterations.csv")
        try sandbox.write(
            "schema,kills,loss_percent,lost_bytes_max\n2,1108,8.2345,524288\n",
            to: "\(Self.run)/summary.csv")
        try sandbox.write("100 kills\npass (exit 0)\n", to: "\(Self.run)/output.txt")
        try sandbox.write(Self.readme, to: "README.md")
    }

    private static let readme = """
        <!-- text of results/reference/default/output.txt: begin -->
        ```text
        100 kills
        pass (exit 0)
        ```
        <!-- text of results/reference/default/output.txt: end -->

        <!-- figures of results/reference/default/summary.csv results/reference/parts.csv -->
        All 1,108 kills took 1 min 41 s and lost 8.2 % at `--seed 17` (B1, [runs](results/reference/x99)),
        512 KB at most.

        Elsewhere 77 things are constants.

        ```text
        <!-- text of an/example: begin -->
        ```

        """

    private func check(_ arguments: [String] = []) throws -> Sandbox.Outcome {
        try sandbox.run("harness/ci/figures", arguments)
    }

    @Test func whatStandsInARunOfTodayHolds() throws {
        try check().exits(0)
    }

    /// One planted mistake each: the file, the original text, its replacement, and the check's
    /// message.
    private static let mistakes: [(String, String, String, String)] = [
        ("README.md", "100 kills", "101 kills", "is not what"),
        ("README.md", "1,108", "1,109", "1,109 is not in"),
        ("README.md", "8.2 %", "8.3 %", "8.3 % is not in"),
        ("README.md", "512 KB", "513 KB", "513 KB is not in"),
        ("README.md", "512 KB", "512 MB", "512 MB is not in"),
        ("README.md", "1 min 41 s", "1 min 42 s", "102 s is not in"),
        ("README.md", "summary.csv r", "gone.csv r", "gone.csv"),
        ("README.md", "summary.csv r", "iterations.csv r", "no file of figures"),
        ("README.md", "Elsewhere 77", "In results/reference/ 77", "without a mark"),
        ("README.md", "output.txt: end", "outputs.txt: end", "without its other one"),
        ("\(run)/manifest.json", "\"judge\" : \"2\"", "\"judge\" : \"1\"", "judge is 1"),
        (
            "\(run)/manifest.json", "\"versions\" : {\"judge\" : \"2\"}", "\"versions\" : {}",
            "judge is not"
        ),
        ("\(run)/manifest.json", "clean", "changed", "tree is changed"),
        ("\(run)/manifest.json", commit, "b", "not all of one commit"),
        ("\(run)/manifest.json", commit, "unknown", "of no known commit: default"),
        ("\(run)/manifest.json", "\"schema\" : 1", "\"schema\" : 0", "manifest's schema"),
        ("\(run)/iterations.csv", "2,524288", "1,524288", "schema of iterations.csv is 1"),
        ("\(run)/summary.csv", "2,1108", "1,1108", "schema of summary.csv is 1"),
        ("results/reference/parts.csv", "default,", "other,", "of no known commit: part default"),
        ("Sources/Rig/RigVerdict/Judge/Judge.swift", "= 2", "= 3", "judge is 2, today's is 3"),
    ]

    @Test func aPlantedMistakeIsFound() throws {
        for (path, old, new, complaint) in Self.mistakes {
            let text = try sandbox.text(path)
            try #require(text.contains(old))
            try sandbox.write(text.replacing(old, with: new, maxReplacements: 1), to: path)
            try check().exits(1).says(complaint)
            try sandbox.write(text, to: path)
        }
    }

    @Test func whatWasPrintedIsPutIntoItsPlace() throws {
        try sandbox.write("102 kills\npass (exit 0)\n", to: "\(Self.run)/output.txt")
        #expect(try check().status == 1)
        #expect(try check(["--write"]).status == 0)
        #expect(try check().status == 0)
        let text = try sandbox.text("README.md")
        #expect(text == Self.readme.replacing("100 kills", with: "102 kills"))
    }
}
