import Foundation
import RigModel
import TestSupport
import Testing

/// Kill-tests of a correct worker under faults: no verdict may be wrong.
@Suite struct OriginFaultRunTests {
    private static let iterations = Nightly.rounds(2, nightly: 40)

    private func expectClean(_ faults: [String]) async throws {
        let place = Workplace()
        try await place.killTest(
            [
                "--iterations", "\(Self.iterations)", "--seed", "\(Nightly.seed(61))",
                "--video-size", "4MB",
            ]
                + faults.flatMap { ["--origin-fault", $0] }, exits: 0)
        let rows = try place.rows(Self.iterations)
        rows.all { $0.verdict != .fail }
        // Exactly what the origin sent arrives.
        let byBytes = rows.filter { $0.trigger == "bytes" }
        #expect(byBytes.count == Self.iterations / 2)
        for row in byBytes {
            #expect(row.receivedBytes.map(String.init) == row.planned, "\(row.reason)")
        }
        let manifest = try place.text("run/manifest.json")
        for fault in faults { #expect(manifest.contains("\"\(fault)\"")) }
    }

    private static let dropNothing = [
        ["latency:5ms", "slicer:20000", "redirect:1"], ["slow_close:50ms"], ["refuse_head"],
        ["latency:20ms"], ["bandwidth:10MB/s"], ["slicer:4000"], ["redirect:2"], ["slow:20MB/s"],
    ]

    @Test(arguments: Nightly.cases(dropNothing, usual: 3))
    func aRunUnderAFaultThatDropsNothingIsClean(faults: [String]) async throws {
        try await expectClean(faults)
    }

    private static let breakConnections = [
        ["reset_peer:1MB"], ["truncate:1MB"], ["status:503:1"], ["reset_peer:0ms:1"],
        ["limit_data:1MB"], ["reset:1MB"],
    ]

    @Test(arguments: Nightly.cases(breakConnections, usual: 3))
    func aRunUnderAFaultThatBreaksConnectionsIsClean(faults: [String]) async throws {
        try await expectClean(faults)
    }
}
