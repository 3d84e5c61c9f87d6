import Foundation
import RigModel
import TestSupport
import Testing

extension EndToEndTests {
    /// The rig can fail a worker: each planted bug is caught by its checker.
    @Suite struct PlantedBugTests {
        /// A bug, the checker that must catch it, and the trigger that shows it.
        struct Trial: CustomTestStringConvertible {
            let mode: String
            let checker: Checker
            let trigger: String
            /// As many as the bug needs to show: some show in each kill.
            let kills: Int

            var testDescription: String { mode }
        }

        static let bugs = [
            // Shows only in a commit, where timed kills land, but kills at a planned byte seldom
            // do.
            Trial(mode: "acknowledge-early", checker: .durability, trigger: "time", kills: 60),
            Trial(mode: "shifted-chunk", checker: .integrity, trigger: "random", kills: 12),
            Trial(mode: "flipped-byte", checker: .integrity, trigger: "random", kills: 12),
            Trial(mode: "late-threshold", checker: .bound, trigger: "time", kills: 40),
            Trial(mode: "never-commit", checker: .bound, trigger: "random", kills: 12),
            Trial(mode: "restart", checker: .resumption, trigger: "random", kills: 12),
        ]

        @Test(arguments: bugs)
        func aPlantedBugIsCaughtByItsChecker(_ bug: Trial) async throws {
            let place = try Workplace()
            let outcome = try await place.killTest(
                ["--iterations", "\(bug.kills)", "--trigger", bug.trigger, "--seed", "21"],
                environment: ["DOWNLOADER_PLANTED_BUG": bug.mode])
            #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
            let failed = try place.rows().filter { $0.verdict == .fail }
            #expect(
                failed.contains { $0.reason.contains("\(bug.checker.rawValue):") },
                "\(failed.map(\.reason))")
            let evidence = try FileManager.default.contentsOfDirectory(
                atPath: place.path("run/evidence"))
            #expect(evidence.count >= failed.count)
        }

        @Test func theHonestWorkerIsNotAccused() async throws {
            let place = try Workplace()
            let outcome = try await place.killTest(
                [
                    "--iterations", "\(Nightly.rounds(20, nightly: 60))", "--trigger", "time",
                    "--seed", "21",
                ])
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
            #expect(try place.rows().allSatisfy { $0.verdict != .fail })
        }
    }
}
