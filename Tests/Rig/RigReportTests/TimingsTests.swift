import Foundation
import RigModel
import Testing

@testable import RigReport

@Suite struct TimingsTests {
    private static let timings = RunTimings(
        iterations: [
            IterationTimings(iteration: 1, policy: "512KB", stages: [.spawn: 0.25]),
            IterationTimings(
                iteration: 1, policy: "1MB",
                stages: [.spawn: 0.1, .download: 0.4], overlapped: [.autopsy: 0.02]),
        ], elapsed: 0.75, rigProcessor: 0.125, workerProcessor: 0.5)

    private static let stage = StageSummary(
        name: "clean_up_beside", total: 1.5, share: nil, median: 0.0015, p90: 0.002, max: 0.25)
    private static let whole = StageSummary(
        name: "total", total: 0.75, share: 1, median: 0.375, p90: 0.5, max: 0.5)

    /// The order is the plan's, as in `iterations.csv`, not that of the policies' names.
    @Test func aRowHasAFieldForEveryStage() throws {
        let lines = TimingsCSV.text(Self.timings, runID: "r,1").split(separator: "\n")
        try #require(lines.count == 3)
        let names = lines[0].split(separator: ",").map(String.init)
        #expect(names.prefix(4) == ["schema", "run_id", "iteration", "policy"])
        #expect(names.count == 4 + IterationStage.allCases.count + 3)
        #expect(lines[1].hasPrefix("1,\"r,1\",1,512KB,,0.250000,"))
        let fields = lines[2].split(separator: ",", omittingEmptySubsequences: false).dropFirst()
            .map(String.init)
        let row = Dictionary(uniqueKeysWithValues: zip(names.dropFirst(2), fields.dropFirst(2)))
        #expect(row["spawn_seconds"] == "0.100000")
        #expect(row["kill_seconds"] == "")
        #expect(row["download_seconds"] == "0.400000")
        #expect(row["total_seconds"] == "0.500000")
        #expect(row["autopsy_beside_seconds"] == "0.020000")
        #expect(row["clean_up_beside_seconds"] == "")
    }

    @Test func theTableSetsWhatWentOnBesideBelowTheTotal() {
        let text = TimingsTable.text(Self.timings, summaries: [Self.stage], whole: Self.whole)
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        #expect(lines[1].hasPrefix("total"))
        #expect(lines[1].contains("100.0 %"))
        #expect(lines[2].hasPrefix("clean up beside"))
        #expect(lines[2].hasSuffix("1.50    2.00  250.00"))
        #expect(lines[3] == "processor time: rig 0.125 s, workers 0.500 s, in 0.750 s")
    }

    @Test func theEventHasNullForAShareThatIsNone() throws {
        let line = RunEvents.timings(Self.timings, summaries: [Self.whole, Self.stage])
        let object = try parsed(line)
        #expect(object["event"] as? String == "timings")
        #expect(object["iterations"] as? Int == 2)
        #expect(object["worker_processor_seconds"] as? Double == 0.5)
        let stages = try #require(object["stages"] as? [[String: Any]])
        #expect(stages[0]["share"] as? Double == 1)
        #expect(stages[1]["share"] is NSNull)
        #expect(stages[1]["max_seconds"] as? Double == 0.25)
    }
}
