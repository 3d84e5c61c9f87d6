import RigModel
import TestSupport
import Testing

/// `--workload two-players`: two players of one proxy, each with a threshold of its own, and
/// each video's loss held against it (S5).
///
/// The proxy had one threshold for all videos.
@Suite struct TwoPlayersTests {
    private let place = Workplace()

    private static let run = ["--workload", "two-players", "--video-size", "5MB"]

    @Test(arguments: ["file", "rows"])
    func eachPlayerLosesAtMostItsOwnThreshold(storage: String) async throws {
        let iterations = Nightly.rounds(8, nightly: 40)
        try await place.killTest(
            Self.run, "--thresholds", "256KB+1MB", "--iterations", "\(iterations)", "--seed",
            "\(Nightly.seed(91))", "--set", "storage=\(storage)", exits: 0)
        let rows = try place.rows()
        rows.all { $0.policy == "256KB+1MB" && $0.verdict != .fail }
        let passed = rows.filter { $0.verdict == .pass }
        #expect(passed.count * 10 >= iterations * 8)
        #expect(passed.allSatisfy { $0.boundOK == true && $0.boundBytes ?? 0 >= 5 << 18 })
        // Of both videos.
        #expect(passed.contains { ($0.receivedBytes ?? 0) > 5 << 20 })
        // Stored rows are no contradiction of their plan.
        try await rig("judge", "run", in: place, exits: 0)
    }

    /// The first player's threshold counts for both.
    ///
    /// So the second video is written four times as often, as 20 of 20 showed that were killed near
    /// the end, when both videos have been saved by many requests. `harness/ci/self-check` has the
    /// larger one count for both, by which the second video loses more.
    @Test func theSmallerThresholdForBothIsCaught() async throws {
        try await place.killTest(
            Self.run, "--thresholds", "256KB+1MB", "--iterations", "6", "--seed", "84", "--trigger",
            "bytes", "--at", "9.5MB", environment: planted("shared-threshold"), exits: 99)
        let reasons = try place.rows().filter { $0.verdict == .fail }.map(\.reason)
        #expect(reasons.contains { $0.contains("of the video saved by 1MB") }, "\(reasons)")
    }
}
