import Foundation
import RigModel
import RigReport
import Testing

/// The page of a run without kills does not mention kills, loss or recovery.
@Suite struct SparedRunTests {
    private static func spare(_ row: inout IterationRow) {
        (row.trigger, row.planned) = (Trigger.never.kind.rawValue, Trigger.never.planned)
        (row.phase, row.killSeconds, row.lostBytes) = (.idle, nil, 0)
        if row.verdict == .fail { row.checkers = [.completion] }
    }

    private static func summary() -> RunSummary {
        var summary = makeSummary()
        var policy = makePolicySummary("512KB")
        policy.strata = [Stratum(phase: .idle, isInReach: true)]
        (policy.iterations, policy.kills) = (2, 2)
        summary.policies = [policy]
        // The gates' texts are not written by the page.
        summary.gates = []
        summary.hosts = [
            HostSummary(
                host: "one", parts: 1, rows: 2, inconclusive: 0, violations: 1, lossPercent: 4.5,
                recoverySecondsMedian: 0.02)
        ]
        return summary
    }

    private static let rows = [
        makeFullRow(iteration: 1, change: spare),
        makeFailedRow(iteration: 2, reason: "completion: 3 bytes unlike the video", change: spare),
    ]

    @Test func nothingIsSaidOfKillsLossAndRecovery() throws {
        let page = ReadPage(
            ReportPage.text(
                makeRun(
                    Self.rows, summary: Self.summary(),
                    manifest: makeRunManifest(iterations: 2, trigger: .time, pinned: .never))))
        let body = try #require(page.text.range(of: "<body>"))
        let end = try #require(page.text.range(of: "<script>"))
        let environment = try #require(page.text.range(of: "id=\"environment\""))
        #expect(page.opened("svg").isEmpty)
        var text = String(page.text[body.upperBound..<min(end.lowerBound, environment.lowerBound)])
        // The page may only say that there were no kills. The gates' and the run's sentences and
        // the policy's name are texts from outside.
        for said in [
            "Run without kills", "2 iterations without a kill", "No worker was killed",
            "there is neither loss nor recovery to show", "<dt>Kills</dt><dd>none: ",
        ] {
            #expect(text.contains(said), "\(said)")
            text = text.replacingOccurrences(of: said, with: "")
        }
        for word in ["recover", "loss", "lost", "bound", " kill", "sigkill"] {
            #expect(!text.lowercased().contains(word), "\(word)")
        }
        #expect(text.contains("<b>left to finish</b>"))
        #expect(text.contains("<summary>512KB, iteration 2</summary>"))
        #expect(text.contains("completion: 3 bytes unlike the video"))
    }

    /// The same rows with a kill show all of it, so the test above looks in the right places.
    @Test func theSameRunWithKillsHasThem() {
        let rows = [makeFullRow(iteration: 1), makeFailedRow(iteration: 2)]
        let text = ReportPage.text(makeRun(rows, summary: Self.summary()))
        #expect(text.components(separatedBy: "<svg").count == 5)
        for word in [">recovery<", ">worst loss<", "lost", "bound", "sigkill", "Kill test "] {
            #expect(text.contains(word), "\(word)")
        }
    }

    /// Plots are drawn from rows: a row without a kill is in no plot of kills.
    @Test func aSparedRowIsNoPointAmongKills() {
        let rows = [makeFullRow(iteration: 1), makeFullRow(iteration: 2, change: Self.spare)]
        let text = ReportPage.text(makeRun(rows, summary: Self.summary()))
        #expect(text.contains("1 kill, of which 0 failed (crosses)."))
    }
}
