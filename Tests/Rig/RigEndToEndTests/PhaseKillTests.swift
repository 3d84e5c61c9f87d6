import Foundation
import RigModel
import Testing

/// `--trigger phase`: kills land in the requested phase.
@Suite struct PhaseKillTests {
    private let place = Workplace()

    @Test(
        arguments: [
            ([], Phase.allCases.filter { $0 != .evicting && $0 != .cancelling }),
            (["--workload", "playback", "--set", "capacity=8MB"], Phase.allCases),
            (
                ["--workload", "offline-library"],
                [.connecting, .receiving, .committing, .completing]
            ),
        ] as [([String], [Phase])])
    func everyPhaseInReachIsHit(workload: [String], phases: [Phase]) async throws {
        try await place.killTest(
            workload, "--trigger", "phase", "--stratify", "--iterations", "\(phases.count)",
            "--seed", "91", "--gate", "phases_hit >= \(phases.count)", exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass }
        #expect(rows.map(\.planned) == phases.map(\.rawValue))
        #expect(rows.map(\.phase) == phases)
    }

    @Test func aPhaseCanBePinned() async throws {
        try await place.killTest(
            "--trigger", "phase", "--at", "committing", "--iterations", "5", "--seed", "92",
            exits: 0)
        let rows = try place.rows()
        rows.all { $0.phase == .committing && $0.verdict == .pass }
        // Not always its first commit.
        #expect(Set(rows.compactMap(\.commits)).count > 1)
    }

    /// Before a life's first byte, a kill tests what the previous life has left.
    @Test func aKillBeforeTheFirstByteLosesNothingOfTheLifeBefore() async throws {
        try await place.killTest(
            "--trigger", "phase", "--at", "recovering", "--iterations", "2", "--seed", "93",
            "--set", "storage=file", exits: 0)
        let rows = try place.rows()
        rows.all { $0.servedBytes == 0 && $0.lostBytes == 0 }
        rows.all { ($0.recoveredBytes ?? 0) > 1 << 20 }
    }
}
