import Foundation
import RigModel
import TestSupport
import Testing

@testable import RigReport

@Suite("The table of an audit")
struct AuditTableTests {
    private let report = AuditReport(
        runID: "run", seed: 7, worker: "get.py",
        findings: zip(
            AuditSituation.all,
            [
                .sound(kills: 40), .fails(18, of: 20, reason: "bytes shifted by 5\u{1B}[31m"),
                .unknown("exit 69: no"), .notTried("the time was over"),
            ] as [AuditFinding.Outcome]
        ).map {
            var finding = AuditFinding(
                $0, $1, mostLost: 4096, command: "rig kill-test --seed 7 -- a | b_c")
            if case .sound = $1 { finding.rateBelow = 0.0722 }
            if case .fails = $1 {
                finding.mistake = Self.mistake
                finding.replay = "rig replay run/calls --iteration 3"
            }
            return finding
        })
    private static let mistake = "It goes on at a place that its file does not have."

    @Test("the documentation has every situation, with its options", arguments: AuditSituation.all)
    func documentation(situation: AuditSituation) throws {
        let options = situation.options.joined(separator: " ")
        let cell = options.isEmpty ? "" : "`\(options)` "
        let page = try Checkout.text(of: "docs/audit.md")
        #expect(page.contains("\n| \(situation.title) | \(cell)| "))
    }

    @Test("a line per situation; under them what a failure means, and how to repeat it")
    func terminal() {
        let lines = AuditTable.text(report, page: "run/report.html").split(separator: "\n").map(
            String.init)
        #expect(lines[1].hasSuffix("     40  ok (rate < 7.3 %), lost at most 4.0 KB"))
        #expect(lines[2].contains("FAIL 18 of 20: bytes shifted by 5"))
        #expect(!AuditTable.text(report, page: "run/report.html").contains("\u{1B}"))
        #expect(lines[3].hasSuffix("-  cannot be judged: exit 69: no"))
        #expect(lines[4].hasSuffix("-  not tried: the time was over"))
        expect(
            lines, has: "  Repeat  rig kill-test --seed 7 -- a | b_c",
            "  One kill  rig replay run/calls --iteration 3", "  \(Self.mistake)",
            "1 of 2 situations fail; 1 could not be judged; 1 was not tried")
        #expect(lines.suffix(2) == ["Report  run/report.html", "fail (exit 99)"])
    }

    /// Twenty kills failed in half of its time, and the line told of all that were planned.
    @Test("a failing situation that was cut off says so")
    func cutOff() throws {
        var finding = AuditFinding(AuditSituation.all[0], .fails(3, of: 5, reason: "hang: 30 s"))
        finding.failure = PartFailure(
            part: "anywhere", reason: "5 of 20 kills made, then its time was over",
            status: .inconclusive)
        let line = "FAIL 3 of 5: hang: 30 s (5 of 20 kills made, then its time was over)"
        #expect(AuditTable.result(finding) == line)
        let report = AuditReport(runID: "run", seed: 7, worker: "w", findings: [finding])
        let words = "5 of 20 kills made, then its time was over"
        #expect(AuditJSON.text(report).contains("\"failure\": \"\(words)\""))
        #expect(try JUnitReading(AuditJUnit.text(report)).cases[0].details.contains(words))
    }

    @Test("an error of a program that did its work in the end is quoted")
    func errors() {
        let report = AuditReport(
            runID: "run", seed: 7, worker: "curl",
            findings: [
                AuditFinding(AuditSituation.all[0], .sound(kills: 3), errors: "6 times: no ranges")
            ])
        #expect(
            AuditTable.text(report, page: "p").contains(
                "ok when started again; ended with an error 6 times: no ranges"))
        #expect(AuditJSON.text(report).contains("\"errors\": \"6 times: no ranges\""))
    }

    @Test("the same for a page of Markdown, and for a program")
    func documents() {
        let page = AuditTable.markdown(report)
        expect(
            page, has: "## Audit of get.py: fail (exit 99)", "### \(AuditSituation.all[1].title)",
            "\n`rig kill-test --seed 7 -- a | b_c`\n", "\n`rig replay run/calls --iteration 3`\n")
        let json = AuditJSON.text(report)
        expect(
            json, has: "\"outcome\": \"cannot be judged\"", "\"failed\": 18", "\"exit_code\": 99")
    }

    /// The words of a situation were printed for whatever was wrong.
    @Test("what is not known is quoted, and not explained")
    func unknownMistake() {
        let reason = String(repeating: "a long reason ", count: 20) + "with an end"
        let report = AuditReport(
            runID: "run", seed: 7, worker: "w",
            findings: [AuditFinding(AuditSituation.all[0], .fails(1, of: 2, reason: reason))])
        let lines = AuditTable.text(report, page: "p").split(separator: "\n").map(String.init)
        #expect(lines.contains("  \(reason)"))
        #expect(lines[1].hasSuffix("…"))
        // A document has all of it.
        #expect(AuditTable.markdown(report).components(separatedBy: "with an end").count == 3)
    }

    @Test("what did not come about is no pass, and not counted as one")
    func moot() throws {
        let report = AuditReport(
            runID: "run", seed: 7, worker: "w",
            findings: zip(
                AuditSituation.all,
                [
                    .sound(kills: 4), .sound(kills: 4), .notReached("it left before"),
                    .doesNotApply("it never asked for a range"),
                ] as [AuditFinding.Outcome]
            ).map { AuditFinding($0, $1) })
        let text = AuditTable.text(report, page: "p")
        expect(
            text, has: "-  not reached: it left before",
            "-  does not apply: it never asked for a range",
            "0 of 2 situations fail; 2 did not apply or were not reached\n", "pass (exit 0)")
        #expect(AuditJSON.text(report).contains("\"outcome\": \"does not apply\""))
        let cases = try JUnitReading(AuditJUnit.text(report)).cases
        #expect(cases.map(\.outcome) == ["passed", "passed", "skipped", "skipped"])
    }

    @Test("each situation's line, as it ends")
    func progress() {
        #expect(
            AuditTable.progress(report.findings[0])
                == "killed all over its work (40 kills): ok (rate < 7.3 %), lost at most 4.0 KB")
        #expect(
            AuditTable.progress(report.findings[3])
                == "\(report.findings[3].situation.title): not tried: the time was over")
    }

    @Test("code is quoted as it is", arguments: ["a_b", "a `b` c", "`a`", "a``b"])
    func code(text: String) {
        let code = SummaryMarkdown.code(text)
        let fence = code.prefix { $0 == "`" }
        let inner = code.dropFirst(fence.count).dropLast(fence.count)
        #expect(code.hasSuffix(fence) && !inner.contains(fence))
        #expect(inner == text || inner == " \(text) ")
    }

    @Test("for a test report: a suite per situation, of which only a sound one passes")
    func suites() throws {
        let text = AuditJUnit.text(report)
        #expect(try validate(text).status == 0)
        let read = try JUnitReading(text)
        #expect(
            read.suites.map { $0["name"] }
                == report.findings.map { "audit of get.py: \($0.situation.title)" })
        #expect(read.cases.map(\.outcome) == ["passed", "failure", "skipped", "skipped"])
        #expect(read.cases[1].className == "rig.audit.get-py.calls")
        #expect(read.cases[1].details.contains("repeat: rig kill-test --seed 7 -- a | b_c"))
        #expect(read.cases[1].details.contains(Self.mistake))
        // Without its kills a program is not judged.
        for outcome in [AuditFinding.Outcome.unknown("no"), .notTried("no")] {
            let undecided = AuditReport(
                runID: "run", seed: 7, worker: "w",
                findings: [AuditFinding(AuditSituation.all[0], outcome)])
            #expect(try JUnitReading(AuditJUnit.text(undecided)).cases.map(\.outcome) == ["error"])
        }
        // The rig's own failure is none of the program's, and no reason to skip.
        var broken = AuditFinding(AuditSituation.all[2], .unknown("signal 11 ended it"))
        broken.failure = PartFailure(part: "end", reason: "", status: .failure)
        let failed = AuditReport(runID: "run", seed: 7, worker: "w", findings: [broken])
        #expect(try JUnitReading(AuditJUnit.text(failed)).cases.map(\.outcome) == ["error"])
    }

    /// Jenkins and GitLab publish the file that such a line names.
    @Test("no worker attaches a file")
    func attachments() {
        let text = AuditJUnit.text(
            AuditReport(
                runID: "run", seed: 7, worker: "w",
                findings: [
                    AuditFinding(
                        AuditSituation.all[0],
                        .fails(1, of: 2, reason: "[[ATTACHMENT|/etc/passwd]]"))
                ]))
        let outputs = text.components(separatedBy: "<system-out>").dropFirst()
        #expect(outputs.contains { $0.contains("ATTACHMENT") })
        #expect(!outputs.contains { $0.prefix { $0 != "<" }.contains("[[ATTACHMENT") })
    }

    @Test("on one page: a section per situation, with its command and its run's page")
    func page() {
        let page = AuditPage.text(report)
        for finding in report.findings {
            let name = finding.situation.name
            expect(page, has: "<a href=\"#\(name)\">", "<h2 id=\"\(name)\">")
            #expect(page.contains("href=\"\(name)/report.html\"") == (finding.kills != nil))
        }
        #expect(page.contains(Self.mistake))
        expect(
            page, has: "<code>rig replay run/calls --iteration 3</code>",
            "FAIL 18 of 20: bytes shifted by 5", "<code>rig kill-test --seed 7 -- a | b_c</code>",
            lacks: "\u{1B}")
    }
}
