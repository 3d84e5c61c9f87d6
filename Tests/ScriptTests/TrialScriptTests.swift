import Foundation
import TestSupport
import Testing

/// `harness/examples/trial/trial` tries programs with one mistake each, step by step, and makes one
/// table of what was found when.
///
/// The rig is a tool of the test's, so nothing is killed.
@Suite struct TrialScriptTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Runs it with a rig that finds something where it is given certain words.
    private func trial(
        finding words: String, _ arguments: [String]
    ) throws -> Sandbox.Outcome {
        try sandbox.tool(
            "fake-rig",
            #"""
            case "$*" in *"WORDS"*) verdict=fail code=99 ;; *) verdict=pass code=0 ;; esac
            printf '{"event": "row", "verdict": "%s", "reason": "check: half a file"}\n' $verdict
            exit $code
            """#.replacing("WORDS", with: words))
        try sandbox.tool("cc", ":")
        return try sandbox.run(
            "harness/examples/trial/trial", arguments,
            environment: ["RIG=\(sandbox.tools.path)/fake-rig"])
    }

    @Test func itTakesTheNextStepWhereOneFindsNothing() throws {
        let outcome = try trial(finding: "power-cut-torn", ["save.py"]).exits(0)
        #expect(
            outcome.output.contains(
                "| `save.py` | Python | renames what it has not synced | power cuts | 3 | "),
            "\(outcome.output)")
        #expect(outcome.output.contains(" | check: half a file |\n\n1 of 1 mistakes were found"))
    }

    @Test func aMistakeThatNoStepFindsIsNoSuccess() throws {
        let outcome = try trial(finding: "no such words", ["queue.sh", "lock.js"]).exits(1)
        #expect(outcome.output.contains("| **nothing** | 3 |"), "\(outcome.output)")
        #expect(outcome.output.contains("0 of 2 mistakes were found within three minutes."))
        try trial(finding: "", ["none.py"]).exits(64)
    }

    @Test func theRecordIsOfAll() throws {
        try trial(finding: "--check", ["--record", "save.py"]).exits(64).says("--record all")
        try trial(finding: "--check", ["--record"]).exits(0)
        let lines = try sandbox.text("results/reference/wild/trial.md").split(separator: "\n")
        #expect(lines.count == 13)
        #expect(lines.last?.hasPrefix("10 of 10 mistakes were found") == true)
    }
}
