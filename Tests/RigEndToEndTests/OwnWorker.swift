import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import Testing

/// The repository's own small workers, which are no part of the build.
enum OwnWorker {
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Runs the kills of a plan through a laboratory, and judges them.
    ///
    /// - Parameters:
    ///   - worker: the worker under test.
    ///   - plan: what is to happen.
    ///   - resource: what the origin serves.
    ///   - place: where files may be left.
    /// - Returns: one judgement per kill.
    /// - Throws: what the laboratory throws when the worker, or the rig, cannot go on.
    static func kill(
        _ worker: WorkerProfile, by plan: KillPlan, of resource: Resource, in place: Workplace
    ) async throws -> [Judgement] {
        let origin = FixtureOrigin()
        try await origin.start()
        let laboratory = Laboratory(
            settings: LaboratorySettings(
                worker: worker, resource: resource, fileName: "fixture.mp4",
                scratch: place.path("scratch"),
                // Nothing may be left in the repository.
                environment: ["PYTHONDONTWRITEBYTECODE": "1"]),
            origin: origin, interruption: Interruption(), isSound: Judge.isSound)
        var judgements: [Judgement] = []
        do {
            for policy in plan.policies {
                if plan.trigger == .phase {
                    try await laboratory.countPhases(policy, runs: 1)
                } else {
                    try await laboratory.measureUninterrupted(policy, runs: 2)
                }
            }
            for planned in plan.schedule {
                let outcome = try await laboratory.perform(planned)
                judgements += outcome.kills.map(Judge.judge)
                laboratory.discard(outcome)
            }
        } catch {
            await origin.stop()
            throw error
        }
        await origin.stop()
        return judgements
    }
}
