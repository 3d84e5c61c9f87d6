import Foundation
import RigModel
import RigReport
import Testing

/// A history of `count` runs of one job; `change` is marked on its loss.
func makeHistory(
    _ count: Int = 200, text: String = "downloader", change: HistoryChange? = nil,
    loss: (Int) -> Double? = { _ in 8 }
) -> HistoryReport {
    let job = HistoryJob([
        .init(name: "worker", value: text), .init(name: "workload", value: "download"),
        .init(name: "video length", value: "10485760"), .init(name: "check", value: ""),
    ])
    let runs = (0..<count).map { index in
        HistoryRun(
            identity: "\(index)", runID: text, startedAt: "2026-03-01T02:00:00Z",
            commit: index % 2 == 0 ? String(repeating: "ab", count: 20) : text, job: job,
            machine: "one", judgedBy: "0.1", status: index == 3 ? .gateFailed : .success,
            policies: [
                HistoryFigures(
                    policy: "512KB", rows: 100, leftOut: 1, violations: 0, decided: 99,
                    lossPercent: loss(index), lostBytesMax: 524_288, recoverySecondsMedian: nil)
            ])
    }
    let points = (0..<count).compactMap { index in
        loss(index).map { HistoryPoint(place: index + 1, run: index, value: $0) }
    }
    return HistoryReport(
        runs: runs, total: count,
        series: [
            HistorySeries(
                job: job, policy: "512KB", metric: .lossPercent, points: points,
                changes: [change].compactMap(\.self))
        ])
}

@Suite struct HistoryPageTests {
    private static let regression = HistoryChange(
        point: 149, before: 8, after: 10.25, pValue: 0.0005, company: ["machine: two"])

    @Test func aChangeIsInTheHeadlineTheTableAndThePlot() {
        let page = HistoryPage.text(makeHistory(change: Self.regression))
        expect(
            page, has: "<h1>1 change in 200 runs</h1>", ">▲ 150</text>",
            "up from 8.00 % to 10.25 % at run 150.", "worse</span>", "machine: two")
        #expect(page.components(separatedBy: "class=\"level\"").count - 1 == 2)
        #expect(page.components(separatedBy: "<path class=\"bound\"").count - 1 == 1)
    }

    @Test func animprovementIsNoAlarm() {
        let better = HistoryChange(point: 20, before: 8, after: 4, pValue: 0.001)
        let page = HistoryPage.text(makeHistory(40, change: better))
        expect(page, has: ">▼ 21</text>", "better</span>", lacks: "<path class=\"bound\"")
    }

    @Test func withoutAChangeThereIsNoTableOfThem() {
        let page = HistoryPage.text(makeHistory())
        expect(
            page, has: "<h1>no change in 200 runs</h1>", "no change is marked",
            lacks: "id=\"changes\"")
    }

    @Test func itNeedsNothingElse() {
        let page = HistoryPage.text(makeHistory(change: Self.regression))
        #expect(page.hasPrefix("<!doctype html>"))
        expect(page, lacks: "http://", "https://", "<script", "<img", "<link")
    }

    @Test func runsWithoutTheFigureAreCounted() {
        let page = HistoryPage.text(makeHistory(20) { $0 == 5 ? nil : 8 })
        expect(page, has: "Not drawn: 1 run without the figure.", ">not known<")
    }

    /// A time has a line for each machine, and two plots of one name would be one for a browser.
    @Test func aLineOfAMachineNamesIt() {
        let history = makeHistory(20)
        let lines = ["one<a>", "two"].map { machine in
            HistorySeries(
                job: history.runs[0].job, policy: "512KB", metric: .recoverySeconds,
                machine: machine,
                points: (0..<10).map { HistoryPoint(place: 2 * $0 + 1, run: 2 * $0, value: 0.02) },
                changes: [HistoryChange(point: 5, before: 0.02, after: 0.03, pValue: 0.001)])
        }
        let report = HistoryReport(runs: history.runs, total: 20, series: lines)
        let page = HistoryPage.text(report)
        expect(
            page, has: "relaunch, on one&lt;a&gt;", "relaunch, on two",
            "policy-1-recovery_seconds-1", "policy-1-recovery_seconds-2",
            "Not drawn: 9 runs without a figure of this machine.",
            lacks: "one<a>")
        #expect(HistoryText.text(report).contains("one<a>"))
    }

    @Test func oneRunIsAPage() {
        #expect(HistoryPage.text(makeHistory(1)).contains("no change in 1 run"))
        #expect(HistoryPage.text(makeHistory(0)).contains("no change in 0 runs"))
    }

    /// A page of the runs of three years is one that a browser opens at once.
    @Test func aLongHistoryIsASmallPage() {
        let page = HistoryPage.text(makeHistory(1000) { 8 + Double($0 * 7919 % 101) / 100 })
        #expect(page.utf8.count < 200_000, "\(page.utf8.count)")
    }

    @Test(arguments: HostileTextTests.texts)
    func namesFromOutsideAreOnlyShown(text: String) throws {
        let change = HistoryChange(point: 5, before: 8, after: 9, pValue: 0.01, company: [text])
        let page = HistoryPage.text(makeHistory(10, text: text, change: change))
        expect(page, lacks: "<script", "<img")
        #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
        _ = try parsed(HistoryJSON.text(makeHistory(10, text: text, change: change)))
        #expect(lineCount(HistoryText.text(makeHistory(10, text: text, change: change))) == 4)
    }

    @Test func jsonHasEveryPointAndChange() throws {
        let object = try parsed(HistoryJSON.text(makeHistory(change: Self.regression)))
        let series = try #require((object["series"] as? [[String: Any]])?.first)
        #expect((series["points"] as? [Any])?.count == 200)
        let change = try #require((series["changes"] as? [[String: Any]])?.first)
        #expect(change["point"] as? Int == 149 && change["verdict"] as? String == "worse")
    }
}
