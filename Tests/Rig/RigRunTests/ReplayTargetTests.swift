import Foundation
import RigLab
import RigModel
import RigReport
import Testing

@testable import RigRun

/// Which kill `rig replay` repeats.
struct ReplayTargetTests {
    private let runs: RunsFolder

    init() throws {
        runs = try RunsFolder()
        var chains = try settings(thresholds: [512 << 10, nil])
        chains.kills = 3
        // The last iteration of `disabled` is missing; of iteration 2 the second kill failed.
        try runs.store("run", chains, rows: 21) { rows in
            for index in rows.indices where rows[index].iteration == 2 && rows[index].kill == 2 {
                rows[index].verdict = .fail
                rows[index].reason = "integrity: wrong"
                rows[index].checkers = [.integrity]
            }
        }
    }

    private func target(
        _ name: String = "run", iteration: Int? = nil, policy: String? = nil, kill: Int? = nil
    ) throws -> ReplayTarget {
        try ReplayTarget(
            "\(runs.path)/\(name)", iteration: iteration, policy: policy, kill: kill,
            console: silence)
    }

    @Test(arguments: [(2, nil, 2), (2, 3, 3), (1, nil, 1)] as [(Int, Int?, Int)])
    func theFirstFailureIsMeantUnlessAKillIsNamed(
        iteration: Int, kill: Int?, expected: Int
    ) throws {
        let target = try target(iteration: iteration, policy: "disabled", kill: kill)
        #expect(target.kill.planned.iteration == iteration)
        #expect(target.kill.planned.policy.name == "disabled")
        #expect(target.kill.kill == expected)
        #expect(target.folder.path == "\(runs.path)/run")
        #expect(target.evidencePath.hasSuffix("run/evidence/disabled-\(iteration)-\(expected)"))
    }

    @Test(
        arguments: [
            (nil, "512KB", nil, "which iteration? add --iteration, from 1 to 4"),
            (5, "512KB", nil, "the run has iterations 1 to 4"), (2, nil, nil, "which policy?"),
            (2, "1MB", nil, "the run has 512KB, disabled"),
            (2, "512KB", 4, "the run has kills 1 to 3 per iteration"),
        ] as [(Int?, String?, Int?, String)])
    func aKillThatThePlanDoesNotHaveIsRefused(
        iteration: Int?, policy: String?, kill: Int?, says: String
    ) throws {
        let message = refusal(.usage) {
            _ = try target(iteration: iteration, policy: policy, kill: kill)
        }
        #expect(message?.contains(says) == true, "\(message ?? "accepted")")
    }

    @Test func aRowThatIsMissingIsRefused() throws {
        let message = refusal(.data) { _ = try target(iteration: 4, policy: "disabled") }
        #expect(message?.contains("has no row of it") == true, "\(message ?? "accepted")")
    }

    /// A folder of evidence says which kill it is of, in its run and anywhere else.
    @Test(arguments: ["run/evidence/512KB-2-2", "elsewhere"])
    func evidenceNamesItsKill(place: String) throws {
        let kill = try target(iteration: 2, policy: "512KB").kill
        let folder = "\(runs.path)/\(place)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try StoredKillJSON.text(kill).write(
            toFile: "\(folder)/plan.json", atomically: true, encoding: .utf8)
        let named = try target(place)
        #expect(named.kill == kill)
        #expect(named.folder.path == (place == "elsewhere" ? folder : "\(runs.path)/run"))
        let message = refusal(.usage) { _ = try target(place, iteration: 3) }
        #expect(message?.contains("name the run's folder") == true, "\(message ?? "accepted")")
    }
}
