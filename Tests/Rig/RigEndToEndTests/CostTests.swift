import Foundation
import RigModel
import Testing

/// What saving costs, in a run.
@Suite struct CostTests {
    private let place = Workplace()

    @Test func aSmallerThresholdWritesMoreOften() async throws {
        let (place, output) = try await KillTestTests.policies.value
        #expect(output.contains("per MB received"), "\(output)")
        let rows = try place.rows().filter { $0.verdict == .pass }
        for row in rows {
            #expect(row.launchBytes == row.receivedBytes && row.launchBytes != nil)
            let least = try #require(row.recoveredBytes)
            #expect(try #require(row.writtenBytes) >= least, "what is kept was written")
            #expect(try #require(row.processorSeconds) > 0)
            #expect(row.syncs == nil)
        }
        func cost(_ policy: String) -> CostPerMB { CostPerMB(rows.filter { $0.policy == policy }) }
        let most = try #require(cost("256KB").writes)
        let fewer = try #require(cost("1MB").writes)
        let fewest = try #require(cost("disabled").writes)
        #expect(most > fewer)
        #expect(fewer > fewest)
        #expect(cost("disabled").commits == 0)
        #expect(try place.text("run/report.html").contains("What saving cost until the kill"))
        try await rig("compare", "run", in: place).prints("writes_per_mb")
    }

    /// Each counted call is a write or a sync, and the last one is that of the kill.
    @Test func aTracedLaunchHasItsSyncs() async throws {
        try await place.killTest(
            "--trigger", "syscall", "--at", "40:after", "--iterations", "2", "--video-size",
            "2MB", "--durability", "power", "--seed", "62", exits: 0)
        for row in try place.rows() where row.verdict == .pass {
            let (writes, syncs) = (try #require(row.writes), try #require(row.syncs))
            #expect(writes + syncs == 40)
            #expect(syncs > 0)
            #expect(row.writtenBytes == nil, "the kernel's counters are the tracer's")
            #expect(row.processorSeconds == nil)
        }
    }
}
