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
            AuditFinding($0, $1, mostLost: 4096, command: "rig kill-test --seed 7 -- a | b")
        })

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
        #expect(lines[1].hasSuffix("     40  ok, lost at most 4.0 KB"))
        #expect(lines[2].contains("FAIL 18 of 20: bytes shifted by 5"))
        #expect(!AuditTable.text(report, page: "run/report.html").contains("\u{1B}"))
        #expect(lines[3].hasSuffix("-  cannot be judged: exit 69: no"))
        #expect(lines[4].hasSuffix("-  not tried: the time was over"))
        #expect(lines.contains("  Repeat  rig kill-test --seed 7 -- a | b"))
        #expect(lines.contains("  \(AuditSituation.all[1].mistake)"))
        #expect(lines.contains("1 of 2 situations fail; 2 could not be judged or were not tried"))
        #expect(lines.suffix(2) == ["Report  run/report.html", "fail (exit 99)"])
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
        #expect(page.contains("## Audit of get.py: fail (exit 99)"))
        #expect(page.contains("### \(AuditSituation.all[1].title)"))
        #expect(page.contains("a \\| b") || page.contains("a &#124; b"))
        let json = AuditJSON.text(report)
        #expect(json.contains("\"outcome\": \"cannot be judged\""))
        #expect(json.contains("\"failed\": 18"))
        #expect(json.contains("\"exit_code\": 99"))
    }

    @Test("for a test report: a suite per situation, of which only a sound one passes")
    func suites() throws {
        let text = AuditJUnit.text(report)
        #expect(try validate(text).status == 0)
        let read = try JUnitReading(text)
        #expect(
            read.suites.map { $0["name"] }
                == report.findings.map {
                    "audit of get.py: \($0.situation.title)"
                })
        #expect(read.cases.map(\.outcome) == ["passed", "failure", "skipped", "skipped"])
        #expect(read.cases[1].className == "rig.audit.get-py.calls")
        #expect(read.cases[1].details.contains("repeat: rig kill-test --seed 7 -- a | b"))
        #expect(read.cases[1].details.contains(AuditSituation.all[1].mistake))
        // Without its kills a program is not judged.
        for outcome in [AuditFinding.Outcome.unknown("no"), .notTried("no")] {
            let undecided = AuditReport(
                runID: "run", seed: 7, worker: "w",
                findings: [AuditFinding(AuditSituation.all[0], outcome)])
            #expect(
                try JUnitReading(AuditJUnit.text(undecided)).cases.map(\.outcome) == ["error"])
        }
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
            #expect(page.contains("<a href=\"#\(name)\">") && page.contains("<h2 id=\"\(name)\">"))
            #expect(page.contains("href=\"\(name)/report.html\"") == (finding.kills != nil))
            #expect(page.contains(PageText.escaped(finding.situation.mistake)) == finding.fails)
        }
        #expect(page.contains("FAIL 18 of 20: bytes shifted by 5"))
        #expect(page.contains("<code>rig kill-test --seed 7 -- a | b</code>"))
        #expect(!page.contains("\u{1B}"))
    }
}
