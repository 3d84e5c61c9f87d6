import Foundation
import Testing

/// `harness/reference-runs` makes the reference runs from one commit, and refuses other trees.
@Suite struct ReferenceRunsTests {
    private let sandbox: Sandbox
    private static let commit = String(repeating: "c", count: 40)

    /// A fake rig that writes a run folder with evidence, and prints a figure.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.buildsRig(Self.rig)
        try sandbox.tool(
            "git",
            """
            case "$*" in
            *rev-parse*) echo \(Self.commit) ;;
            *status*) if [[ -e $root/changes ]]; then echo ' M Sources/Rig/rig/A.swift'; fi ;;
            esac
            """)
    }

    private static let rig = """
        echo "$*" >>$log
        if [[ $1 == plan ]]; then echo 'a plan'; exit; fi
        words=" $* "
        [[ $words != *" --kills "* ]] || { echo 'rig: no' >&2; exit 70; }
        while [[ $1 != --out ]]; do shift; done
        mkdir -p "$2/evidence/512KB-1-1" "$2/no-kill" "$2/flipped-byte"
        commit=\(commit) tree=clean
        if [[ -e $root/other-commit ]]; then commit=dddd; fi
        if [[ $words == *"self-check "* ]]; then echo '{}' >"$2/self-check.json"; fi
        for folder in "$2" "$2/no-kill" "$2/flipped-byte"; do
            printf '"commit" : "%s",\\n"tree" : "%s"\\n' "$commit" "$tree" >"$folder/manifest.json"
            echo a >"$folder/summary.csv"
        done
        echo page >"$2/report.html"
        echo '{}' >"$2/evidence/512KB-1-1/plan.json"
        echo 'pass (exit 0)'
        [[ $words != *" --stratify "* ]] || exit 99
        """

    private func reference(_ path: String) -> String? {
        try? sandbox.text("results/reference/\(path)")
    }

    @Test func aPartIsMadeAndNotedAndNotMadeAgain() throws {
        let outcome = try sandbox.run(
            "harness/reference-runs", ["--only", "default", "--only", "plan"]
        ).exits(0)
        #expect(reference("default/output.txt") == "pass (exit 0)\n")
        #expect(reference("plan/output.txt") == "a plan\n")
        #expect(reference("default/manifest.json")?.contains(Self.commit) == true)
        // The page and the evidence are not kept.
        #expect(reference("default/report.html") == nil)
        #expect(reference("default/evidence/512KB-1-1/plan.json") == nil)
        let rows = try #require(reference("parts.csv")).split(separator: "\n")
        #expect(rows.count == 3)
        #expect(rows.dropFirst().allSatisfy { $0.contains(",\(Self.commit),0,") })
        #expect(outcome.messages.contains("default: exit 0, "))
        #expect(
            sandbox.log() == [
                "kill-test --quiet --no-config --out run/default --iterations 100 --seed 20261123",
                "plan --trigger phase --stratify --iterations 300 --seed 1",
            ])
    }

    /// Runs made before an interruption stay, and the rest are made.
    ///
    /// One run that cannot be made does not prevent the others.
    @Test func theRestIsMadeAndWhatCannotBeIsSaid() throws {
        // The scripts that measure for hours.
        for name in ["reference", "bench"] {
            try sandbox.write("#!/bin/bash\necho figures", to: "harness/\(name)")
        }
        _ = try sandbox.run("harness/reference-runs", ["--only", "default"])
        try sandbox.run("harness/reference-runs")
            .exits(69).says("default: there already, of this commit").says("chains/file: rig: no")
            .says("chains/file: exit 69").says("phases/download: exit 99")
        #expect(reference("chains/file/output.txt") == nil)
        #expect(reference("timings/output.txt") != nil)
        #expect(reference("parts.csv")?.contains("\nphases/download,\(Self.commit),99,") == true)
        #expect(reference("parts.csv")?.contains("\nbenchmarks,\(Self.commit),0,") == true)
    }

    @Test func ofASelfCheckNoRunWithABugIsKept() throws {
        let outcome = try sandbox.run("harness/reference-runs", ["--only", "self-check"])
        try #require(outcome.status == 0 || outcome.status == 77)
        guard outcome.status == 0 else { return }
        #expect(reference("self-check/no-kill/summary.csv") != nil)
        #expect(reference("self-check/flipped-byte/summary.csv") == nil)
    }

    @Test func aChangedTreeIsRefused() throws {
        try sandbox.write("", to: "changes")
        try sandbox.run("harness/reference-runs", ["--only", "default"])
            .exits(64).says("M Sources/Rig/rig/A.swift")
        #expect(reference("parts.csv") == nil)
    }

    /// A rig built from another commit must not produce figures in this commit's name.
    @Test func aRigOfAnotherCommitIsRefused() throws {
        try sandbox.write("", to: "other-commit")
        try sandbox.run("harness/reference-runs", ["--only", "default"])
            .exits(70).says("does not say commit \(Self.commit)")
        #expect(reference("parts.csv") == nil && reference("default/output.txt") == nil)
    }

    @Test func listsItsParts() throws {
        let outcome = try sandbox.run("harness/reference-runs", ["--list"])
        #expect(outcome.output.contains("documented: rig verify-claims "))
        #expect(outcome.output.contains("benchmarks: harness/bench --record"))
    }
}
