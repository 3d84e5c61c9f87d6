import Foundation
import FoundationXML
import RigModel
import RigReport
import Testing

@Suite struct StatusBadgeTests {
    private static func run(
        _ status: RigModel.ExitStatus, at stamp: String = "2026-01-01", job: String = "one",
        violations: Int = 0, leftOut: Int = 0
    ) -> HistoryRun {
        HistoryRun(
            identity: stamp + job, runID: stamp, startedAt: stamp, commit: nil,
            job: HistoryJob([.init(name: "worker", value: job)]), machine: "", judgedBy: "",
            status: status,
            policies: [
                HistoryFigures(
                    policy: "512KB", rows: 100, leftOut: leftOut, violations: violations,
                    decided: 100 - leftOut, lossPercent: nil, lostBytesMax: nil,
                    recoverySecondsMedian: nil)
            ])
    }

    private static let cases: [(runs: [HistoryRun], message: String, color: String)] = [
        ([], "no runs", "lightgrey"),
        ([run(.success)], "survived 100 kills", "brightgreen"),
        ([run(.success, leftOut: 4)], "survived 96 kills", "brightgreen"),
        ([run(.gateFailed, violations: 3)], "3 of 100 kills failed", "red"),
        ([run(.gateFailed)], "fails", "red"),
        ([run(.inconclusive)], "undecided", "yellow"),
        // The newest run counts, wherever it stands.
        ([run(.success, at: "2026-01-02"), run(.gateFailed)], "survived 100 kills", "brightgreen"),
        ([run(.success), run(.gateFailed, at: "2026-01-02")], "fails", "red"),
        ([run(.success), run(.gateFailed, job: "two")], "1 of 2 jobs fail", "red"),
        (
            [run(.inconclusive), run(.gateFailed, job: "two"), run(.success, job: "three")],
            "1 of 3 jobs fail", "red"
        ),
        ([run(.success), run(.inconclusive, job: "two")], "1 of 2 jobs undecided", "yellow"),
        ([run(.success), run(.success, job: "two")], "survived 200 kills", "brightgreen"),
        // What could not be judged is no pass.
        ([run(.data)], "fails", "red"),
    ]

    @Test(arguments: cases.indices)
    func saysWhatTheNewestRunsShow(index: Int) throws {
        let (runs, message, color) = Self.cases[index]
        let badge = StatusBadge(of: runs, label: "kill test")
        #expect(badge.message == message)
        let object = try parsed(badge.json)
        #expect(object["schemaVersion"] as? Int == 1)
        #expect(object["label"] as? String == "kill test")
        #expect(object["message"] as? String == message)
        #expect(object["color"] as? String == color)
        #expect(badge.svg.contains(">\(message)</text>"))
    }

    @Test(arguments: HostileTextTests.texts)
    func anyLabelIsOnlyShown(text: String) throws {
        let badge = StatusBadge(of: [Self.run(.success)], label: text)
        #expect(XMLParser(data: Data(badge.svg.utf8)).parse())
        #expect(!badge.svg.contains("<script"))
        _ = try parsed(badge.json)
    }
}
