import Foundation
import RigModel
import Testing

/// Planted bugs with a real player: each is caught by its checker.
///
/// `harness/ci/self-check` plants the others, and kills the honest worker in the same ways.
@Suite struct PlayerPlantedBugTests {
    private let place = Workplace()

    /// A bug, the checker that must catch it, and the run in which it shows.
    struct Trial: CustomTestStringConvertible {
        let mode: String
        let checker: Checker
        let run: [String]
        /// The reason why the run without a kill fails, where the order of the player's requests
        /// on a slow machine lets the bug show before its kill.
        var unharmed: String?

        var testDescription: String { mode }
    }

    /// A kill near the end of a small video, when most of it has been saved by many requests.
    private static let late = [
        "--trigger", "bytes", "--at", "3000000", "--video-size", "3MB", "--seed", "84",
    ]
    /// A kill in the middle of a small video, after many requests.
    private static let midway = [
        "--trigger", "bytes", "--at", "2MB", "--video-size", "3MB", "--seed", "84",
    ]
    /// More than the capacity has been played when the kill comes.
    private static let crowded = [
        "--trigger", "bytes", "--at", "8MB", "--thresholds", "256KB", "--seed", "84",
        "--set", "capacity=4MB",
    ]
    /// There is another version after the relaunch.
    private static let changed = midway + ["--origin-fault", "change_etag"]

    /// Each makes so many kills that a run in which none shows its bug is rarer than one in a
    /// million.
    ///
    /// The rates are of 40 kills each, with both cores of a machine kept busy and a
    /// load of nine to eighteen.
    static let bugs = [
        // Shows if the player's requests left something that the relaunch then fetches again:
        // 37 of 40. In the middle of the video 30 of 40, and a single kill was once too few.
        Trial(mode: "restart", checker: .resumption, run: late + ["--iterations", "10"]),
        // Shows in the commits of a request that ended before the kill with more than a
        // threshold, which not every pattern has: 33 of 40, and 27 in the middle.
        Trial(
            mode: "never-commit", checker: .commits,
            run: late + ["--iterations", "14", "--thresholds", "256KB"]),
        // 40 of 40; with eight runs at once the run without a kill shows it as well, 7 of 40.
        Trial(
            mode: "shifted-chunk", checker: .integrity, run: midway + ["--iterations", "6"],
            unharmed: " bytes are saved after all was played"),
    ]

    @Test(arguments: bugs)
    func aPlantedBugIsCaughtByItsChecker(_ bug: Trial) async throws {
        let outcome = try await place.killTest(
            ["--workload", "playback"] + bug.run, environment: planted(bug.mode))
        if let reason = bug.unharmed, outcome.exitCode == 69 {
            let failed = "does not complete the video when it is not killed: "
            outcome.complains(failed)
            outcome.complains(reason)
            return
        }
        #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
        let reasons = try place.rows().filter { $0.verdict == .fail }.map(\.reason)
        #expect(reasons.contains { $0.contains("\(bug.checker.rawValue): ") }, "\(reasons)")
    }

    /// Every byte of the new version is fetched and delivered, and none of the old one.
    @Test func anHonestWorkerPlaysTheNewVersionWhole() async throws {
        try await place.killTest(
            ["--workload", "playback", "--iterations", "2"] + Self.changed, exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict == .pass }
        rows.all { ($0.recoveredBytes ?? 0) > 0 }
        rows.all { $0.refetchedBytes == 3 << 20 }
    }

    /// Evicted bytes are neither lost nor kept: more was served than is stored.
    @Test func anHonestWorkerEvictsAndIsNotSaidToLose() async throws {
        try await place.killTest(
            ["--workload", "playback", "--iterations", "2"] + Self.crowded, exits: 0)
        for row in try place.rows() {
            #expect(row.recoveredBytes ?? .max <= 4 << 20)
            #expect(row.servedBytes ?? 0 > 6 << 20)
            #expect(row.lostBytes ?? .max <= row.boundBytes ?? 0)
        }
    }
}
