import RigModel
import RigVerdict
import Testing

/// A machine that loses more than the others is visible.
struct HostSummariesTests {
    private func merged(_ index: Int, _ host: String?) throws -> MergedPart {
        MergedPart(
            partition: try #require(RunPartition(index: index, of: 4)), runID: "run-\(index)",
            host: host, startedAt: "")
    }

    private func rows(
        _ part: Int, received: Int64, lost: Int64, seconds: Double
    ) throws -> [IterationRow] {
        try PartMaker().part(part, of: 4).rows.map { row in
            row.with {
                $0.verdict = .pass
                $0.reason = ""
                $0.receivedBytes = received
                $0.lostBytes = lost
                $0.recoverySeconds = seconds
            }
        }
    }

    @Test func eachMachineHasItsFigures() throws {
        let parts = [
            try merged(1, "b"), try merged(2, "a"), try merged(3, nil), try merged(4, "b"),
        ]
        var slow = try rows(4, received: 100, lost: 30, seconds: 3)
        slow[0].verdict = .fail
        slow[0].checkers = [.bound]
        slow[0].reason = "bound: too much"
        slow[1].verdict = .inconclusive
        slow[1].reason = "too late"
        let hosts = HostSummaries.of(
            try rows(1, received: 100, lost: 10, seconds: 1)
                + rows(2, received: 200, lost: 0, seconds: 2) + slow, parts: parts)
        #expect(hosts.map(\.host) == ["a", "b", nil])
        #expect(hosts.map(\.parts) == [1, 2, 1])
        #expect(hosts.map(\.rows) == [2, 4, 0])
        #expect(hosts.map(\.violations) == [0, 1, 0])
        #expect(hosts.map(\.inconclusive) == [0, 1, 0])
        // 10, 10 and 30 of 300: the inconclusive row does not count.
        #expect(hosts.map(\.lossPercent) == [0, 100 * 50.0 / 300, nil])
        #expect(hosts.map(\.recoverySecondsMedian) == [2, 1, nil])
    }
}
