import Foundation
import RigModel
import Testing

extension EndToEndTests {
    /// The rig can fail a worker: each planted bug is caught by its checker.
    @Suite struct PlantedBugTests {
        /// A bug, the checker that must catch it, and the trigger that shows it.
        struct Trial: CustomTestStringConvertible {
            let mode: String
            let checker: Checker
            let trigger: String

            var testDescription: String { mode }
        }

        static let bugs = [
            // Shows only in a commit, where timed kills land, but kills at a planned byte seldom
            // do.
            Trial(mode: "acknowledge-early", checker: .durability, trigger: "time"),
            Trial(mode: "shifted-chunk", checker: .integrity, trigger: "random"),
            Trial(mode: "flipped-byte", checker: .integrity, trigger: "random"),
            Trial(mode: "late-threshold", checker: .bound, trigger: "time"),
            Trial(mode: "never-commit", checker: .bound, trigger: "random"),
            Trial(mode: "restart", checker: .resumption, trigger: "random"),
        ]

        @Test(arguments: bugs)
        func aPlantedBugIsCaughtByItsChecker(_ bug: Trial) async throws {
            let place = try Workplace()
            let outcome = try await place.killTest(
                ["--iterations", "60", "--trigger", bug.trigger, "--seed", "21"],
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
                ["--iterations", "60", "--trigger", "time", "--seed", "21"])
            #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
            #expect(try place.rows().allSatisfy { $0.verdict != .fail })
        }
    }
}
