import Foundation
import TestSupport
import Testing

/// `harness/audits` makes one table of the audits of downloaders, and
/// `harness/examples/mistakes/audit` one of those of programs with one mistake each.
///
/// Cells were joined by their position, so that an audit of an earlier rig, which had fewer situations,
/// told of others than its line said; and to record a few downloaders took the columns of the others
/// away. The audits are there already, so no program is started.
@Suite struct AuditScriptTests {
    private let sandbox: Sandbox
    /// Where the audits are.
    private var folder: String { sandbox.root.appendingPathComponent("kept").path }

    init() throws { sandbox = try Sandbox() }

    /// Puts an audit there, and the log of what it printed.
    private func keep(
        _ name: String, _ situations: KeyValuePairs<String, String>, log: String = ""
    ) throws {
        let found = situations.map { situation, outcome in
            """
            {"situation": "\(situation)", "title": "title of \(situation)", "outcome": "\(outcome)", \
            "kills": 4, "failed": 3, "errors": "", "reason": "bytes"}
            """
        }
        try sandbox.write(
            "{\"situations\": [\(found.joined(separator: ", "))]}", to: "kept/\(name)/audit.json")
        try sandbox.write(log, to: "kept/\(name).log")
    }

    private func audits(_ arguments: [String]) throws -> Sandbox.Outcome {
        try sandbox.run("harness/audits", ["--out", folder] + arguments)
    }

    private func recorded(_ name: String) throws -> String {
        try sandbox.text("results/reference/wild/\(name)")
    }

    @Test func cellsAreThoseOfTheirSituation() throws {
        try keep("curl", ["anywhere": "ok", "twice": "fail"])
        try keep("wget", ["anywhere": "cannot be judged", "full-disk": "fail", "twice": "ok"])
        let outcome = try audits(["curl", "wget"]).exits(0)
        #expect(
            outcome.output.split(separator: "\n").map(String.init) == [
                "| situation | `curl` | `wget` |",
                "|---|---|---|",
                "| title of anywhere | 4 | not judged |",
                "| title of full-disk | not tried | **3 of 4** |",
                "| title of twice | **3 of 4** | 4 |",
            ])
    }

    private static let downloaders = """
        downloader downloader-proxy downloader-library curl wget wget2 aria2 yt-dlp lftp rclone \
        gallery-dl pooch huggingface-hub pypdl
        """.split(separator: " ").map(String.init)

    @Test func aRecordHasTheColumnsOfAll() throws {
        try sandbox.write("as it was", to: "results/reference/wild/audits.md")
        for name in Self.downloaders.dropLast() { try keep(name, ["anywhere": "ok"]) }
        try audits(["--record", "curl"])
            .exits(69).says("nothing is recorded").says("no audit of pypdl; audit")
        #expect(try recorded("audits.md") == "as it was")
        try keep("pypdl", ["anywhere": "fail"])
        try audits(["--record", "pypdl"]).exits(0)
        let head = Self.downloaders.map { " `\($0)` |" }.joined()
        #expect(try recorded("audits.md").hasPrefix("| situation |\(head)\n"))
        #expect(try recorded("audits.md").contains(" 4 | **3 of 4** |\n\nAudited by "))
    }

    /// A record did not say of which rig it is, and three minutes were kept where ten were asked for.
    @Test func aRecordSaysHowItWasMadeAndKeepsNoOtherOptions() throws {
        let log = "0.0 made by: audit --seed 1 --worker curl --minutes 3\n0.1 rig: run 1, seed 1\n"
        for name in Self.downloaders { try keep(name, ["anywhere": "ok"], log: log) }
        for name in Self.downloaders.dropLast() {
            try sandbox.write(
                """
                {"versions": {"rig": "0.1.0"}, \
                "provenance": {"commit": "7849922d72b2fd731393", "tree": "clean"}}
                """, to: "kept/\(name)/unharmed/manifest.json")
        }
        try audits(["--record", "curl"]).exits(0)
        let known = "rig 0.1.0, commit 7849922d72b2, seed 1, 3 minutes each (13)"
        let unknown = "a rig that is not known, seed 1, 3 minutes each (1)"
        #expect(
            try recorded("audits.md").hasSuffix("\n\nAudited by \(unknown); \(known).\n"))
        try audits(["--minutes", "10", "curl"]).exits(64).says("audited with other options")
    }

    /// The rows of a Markdown table whose head begins a text, as cells without marks of code.
    private static func rows(of text: Substring) -> [[String]] {
        text.split(separator: "\n").prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.filter { $0 != "`" }.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// A failure in the table without a word about it would blame a program, and not say why.
    @Test func everyRecordedFailureIsExplained() throws {
        let page = try Checkout.text(of: "docs/programs.md")
        let head = try #require(page.range(of: "| situation | fails | why |"))
        var explained: Set<[String]> = []
        var situations: [String] = []
        for row in Self.rows(of: page[head.lowerBound...]).dropFirst(2) {
            // A row that names no situation is about the one above it.
            if !row[0].isEmpty { situations = row[0].components(separatedBy: "; ") }
            for program in row[1].components(separatedBy: ", ") {
                explained.formUnion(situations.map { [$0, program] })
            }
        }
        let record = try Checkout.text(of: "results/reference/wild/audits.md")
        let rows = Self.rows(of: record[...])
        let programs = try #require(rows.first)
        for row in rows.dropFirst(2) {
            for (program, cell) in zip(programs, row) where cell.hasPrefix("**") {
                #expect(explained.contains([row[0], program]), "\(row[0]), \(program): \(cell)")
            }
        }
        #expect(!explained.isEmpty && rows.count > 10)
    }

    /// One audit that hung held up all that come after it.
    @Test func aRigThatHangsIsEndedAndTheNextProgramAudited() throws {
        try sandbox.tool(
            "half-a-rig",
            #"""
            while [ $# -gt 0 ]; do [ "$1" = --out ] && out=$2; shift; done
            case $out in *right-over.sh) exec sleep 60 ;; esac
            mkdir -p "$out"
            echo '{"situations": [{"situation": "anywhere", "title": "all over", "outcome": "ok",
                "kills": 4}]}' >"$out/audit.json"
            """#)
        let began = ContinuousClock.now
        let outcome = try sandbox.run(
            "harness/examples/mistakes/audit",
            ["--out", folder, "--minutes", "0.001", "right-over.sh", "right-parts.sh"],
            environment: ["RIG=\(sandbox.tools.path)/half-a-rig", "RIG_AUDIT_PATIENCE=1"]
        ).exits(1)
        #expect(ContinuousClock.now - began < .seconds(60), "it was waited for")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("WRONG  right-over.sh: ") == true, "\(lines)")
        #expect(lines.first?.hasSuffix(" the rig did not end by itself") == true, "\(lines)")
        #expect(lines.last?.hasPrefix("right  right-parts.sh: 4 kills") == true, "\(lines)")
        // Only what is missing is made when it is called again.
        let again = try sandbox.run(
            "harness/examples/mistakes/audit",
            ["--out", folder, "--minutes", "0.001", "right-parts.sh"],
            environment: ["RIG=/nowhere"])
        #expect(again.status == 0)
    }

    private func mistakes(_ arguments: [String]) throws -> Sandbox.Outcome {
        try sandbox.run(
            "harness/examples/mistakes/audit", ["--out", folder] + arguments,
            environment: ["RIG=/nowhere"])
    }

    @Test func aMistakeHasToBeFoundWhereItsProgramSays() throws {
        try keep("no-sync.py", ["anywhere": "ok", "power-cut": "fail"])
        #expect(try mistakes(["no-sync.py"]).status == 0)
        try keep("off-by-one.pl", ["anywhere": "ok", "calls": "ok", "twice": "fail"])
        try keep("right-over.sh", ["anywhere": "ok", "twice": "fail"])
        let outcome = try mistakes(["off-by-one.pl", "right-over.sh"]).exits(1)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("WRONG  off-by-one.pl: 12 kills"))
        #expect(lines[1].hasPrefix("WRONG  right-over.sh") && lines[2] == "       twice: bytes")
        #expect(try mistakes(["none.py"]).status == 64)
    }

    @Test func theRecordSaysWhatWasFoundWhenAndWhatIsNotKnown() throws {
        let names = try Checkout.entries(of: "harness/examples/mistakes")
            .filter { $0.contains(".") && $0 != "README.md" }
        for name in names where name != "no-sync.py" { try keep(name, ["anywhere": "ok"]) }
        #expect(try mistakes(["--record", "right-over.sh"]).status == 69)
        try keep(
            "no-sync.py", ["anywhere": "ok", "power-cut": "fail", "real-power-cut": "not tried"],
            log: """
                0.1 rig: run 1, seed 1, folder kept
                9.2 rig: title of anywhere (4 kills): ok
                41.7 rig: title of power-cut (4 kills): FAIL 3 of 4: bytes

                """)
        try mistakes(["--record", "no-sync.py"]).exits(0)
        let lines = try recorded("mistakes.md").split(separator: "\n").map(String.init)
        #expect(lines.count == names.count + 3)
        #expect(
            lines.contains(
                "| `no-sync.py` | Notes as done what the disk may not have. | yes | power-cut |"
                    + " real-power-cut | 12 | 42 | right |"))
        // Nothing was found in the other ones.
        #expect(lines.last?.hasPrefix("1 of 16 mistakes were found, and 0 of 8 right") == true)
    }

    @Test func theNightAuditsThemAndRecordsNothing() throws {
        let text = try Checkout.text(of: "harness/ci/nightly")
        #expect(text.contains("\nstep harness/examples/mistakes/audit --seed \"$seed\"\n"))
    }
}
