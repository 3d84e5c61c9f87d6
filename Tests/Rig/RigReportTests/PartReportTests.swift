import Foundation
import RigModel
import Testing

@testable import RigReport

struct PartReportTests {
    private func report(wasThere: Bool = false) throws -> PartReport {
        PartReport(
            partition: try #require(RunPartition(index: 3, of: 8)), folder: "a b/part-3-of-8",
            rows: 12, expectedRows: 12, wasThere: wasThere, parts: "a b")
    }

    private let hosts = [
        HostSummary(
            host: "node|1", parts: 3, rows: 12, inconclusive: 1, violations: 0, lossPercent: 4.5,
            recoverySecondsMedian: 0.25),
        HostSummary(
            host: nil, parts: 1, rows: 0, inconclusive: 0, violations: 0, lossPercent: nil,
            recoverySecondsMedian: nil),
    ]

    @Test func theLastLineSaysWhereTheVerdictComesFrom() throws {
        let lines = PartReportText.text(try report()).split(separator: "\n")
        #expect(
            lines == [
                "part 3 of 8 is complete, 12 of 12 rows in a b/part-3-of-8",
                "no verdict: that comes from rig judge 'a b' --expect 8",
            ])
        let again = PartReportText.text(try report(wasThere: true))
        #expect(again.hasPrefix("part 3 of 8 is there already: nothing to do"))
    }

    @Test func thePartAsJSONHasNoVerdict() throws {
        let text = RunEvents.part(try report())
        let object = try parsed(text)
        #expect(object["partition"] as? String == "slice:3/8")
        #expect(object["rows"] as? Int == 12)
        #expect(object["event"] as? String == "part")
        #expect(object["judge"] as? String == "rig judge 'a b' --expect 8")
        #expect(text.split(separator: "\n").count == 1)
    }

    @Test func severalMachinesAreATable() {
        var summary = makeSummary()
        summary.hosts = hosts
        let text = TerminalTable.text(summary, color: false)
        expect(
            text, has: "\nhost       parts  rows  violations  inconclusive  loss %",
            "\nnot known      1     0           0             0       -")
        #expect(SummaryMarkdown.text(summary).contains("| node\\|1 | 3 | 12 | 0 | 1 | 4.50 |"))
        let json = SummaryJSON.text(summary)
        expect(
            json, has: "\"host\": \"node|1\"", "\"recovery_seconds_median\": 0.250000",
            "\"host\": null")
    }

    @Test func oneMachineIsNoTable() {
        var summary = makeSummary()
        summary.hosts = [hosts[0]]
        #expect(!TerminalTable.text(summary, color: false).contains("node|1"))
        #expect(!SummaryMarkdown.text(summary).contains("node"))
        #expect(SummaryJSON.text(summary).contains("node|1"))
    }
}
