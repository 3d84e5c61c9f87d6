import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import TestSupport
import Testing

/// The repository's own small workers, which are not part of the build.
enum OwnWorker {
    static let repository = Checkout.root.path

    /// Runs the kills of a plan in a laboratory, and judges them.
    ///
    /// - Parameters:
    ///   - worker: the worker under test.
    ///   - plan: the planned kills.
    ///   - resource: what the origin serves.
    ///   - place: where files may be left.
    /// - Returns: one judgement per kill.
    /// - Throws: the laboratory's error if the worker, or the rig, cannot continue.
    static func kill(
        _ worker: WorkerProfile, by plan: KillPlan, of resource: Resource, in place: Workplace
    ) async throws -> [Judgement] {
        let origin = FixtureOrigin()
        try await origin.start()
        let laboratory = Laboratory(
            settings: LaboratorySettings(
                worker: worker, resources: [resource], fileName: "fixture.mp4",
                scratch: place.path("scratch"),
                // No files may be left in the repository.
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
