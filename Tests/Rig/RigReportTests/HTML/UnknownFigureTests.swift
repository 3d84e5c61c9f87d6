import Foundation
import RigModel
import RigReport
import Testing

@Suite struct UnknownFigureTests {
    private func text(_ rows: [IterationRow], _ policies: [PolicySummary]) -> String {
        var summary = makeSummary()
        summary.policies = policies
        return withoutTitles(ReportPage.text(makeRun(rows, summary: summary)))
    }

    @Test func aRunWithoutRowsHasNoPlots() {
        let text = text([], [PolicySummary(policy: "512KB")])
        expect(text, has: "<dt>Rows</dt><dd>0 of 200</dd>", lacks: "<svg", "id=\"failures\"")
    }

    @Test func aRunInWhichNothingIsConclusiveHasNoPlots() {
        let rows = makeRows(3) { leaveOut(&$0, because: "it never began") }
        let text = text(rows, [PolicySummary(policy: "512KB")])
        expect(text, has: "it never began</th><td class=\"n\">3</td>", lacks: "<svg")
    }

    @Test func aPolicyWithoutABoundHasNoLineForOne() {
        let text = text(
            [makeFullRow("disabled") { $0.boundBytes = nil }],
            [makePolicySummary("disabled", bound: nil)])
        expect(text, has: "<svg", "nothing is promised (n 1)", lacks: "class=\"bound")
    }

    /// For a black box neither received nor lost bytes are known.
    @Test func aRowThatKnowsNothingIsNotDrawnAtZero() {
        let row = makeFailedRow {
            ($0.receivedBytes, $0.lostBytes, $0.recoveredBytes) = (nil, nil, nil)
            ($0.acknowledgedBytes, $0.recoverySeconds, $0.resumeSeconds) = (nil, nil, nil)
            ($0.killSeconds, $0.refetchedBytes, $0.phase) = (nil, nil, nil)
            ($0.trigger, $0.planned) = ("time", "0.5")
        }
        var summary = PolicySummary(policy: "512KB")
        (summary.receivedBytes, summary.lostBytes, summary.refetchedBytes) = (nil, nil, nil)
        let text = text([row], [summary])
        expect(
            text, has: "What was lost is unknown for every conclusive kill.",
            "Not drawn: 1 conclusive row without what they lost.",
            "Not drawn: 1 conclusive row without the position or what was lost.",
            "sigkill, with not known received, not known acknowledged",
            "<td class=\"n\" data-key=\"-\">not known</td>", lacks: "class=\"dots\"",
            "class=\"crosses\"", "class=\"curve\"", ">0 B<")
    }

    /// A row with unknown received bytes is drawn at its planned byte.
    @Test func aPlannedByteStandsInForWhatWasReceived() {
        let row = makeFullRow { $0.receivedBytes = nil }
        #expect(text([row], [makePolicySummary("512KB")]).contains("class=\"dots\""))
    }

    @Test func twelvePoliciesHaveASectionEach() {
        let names = (1...11).map { "\($0 * 64)KB" } + ["disabled"]
        let rows = names.flatMap { name in (1...5).map { makeFullRow(name, iteration: $0) } }
        let text = text(rows, names.map { makePolicySummary($0) })
        for index in 1...12 { #expect(text.contains("id=\"policy-\(index)\"")) }
        #expect(text.components(separatedBy: "<svg").count == 12 * 4 + 1)
    }

    @Test func aRefreshedLibraryIsARunToo() {
        var run = makeFailedRow("1MB", reason: "library: image 3 is torn") {
            ($0.workload, $0.receivedBytes, $0.lostBytes) = ("offline-library", nil, nil)
        }
        run.boundBytes = nil
        let text = text([run], [PolicySummary(policy: "1MB")])
        #expect(text.contains("library: image 3 is torn"))
    }
}

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
        expect(
            text, has: "<b>left to finish</b>", "<summary>512KB, iteration 2</summary>",
            "completion: 3 bytes unlike the video")
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
