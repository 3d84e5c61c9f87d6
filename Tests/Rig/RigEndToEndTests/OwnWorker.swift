import Fixture
import FixtureOrigin
import Foundation
import RigModel
import RigVerdict
import TestSupport
import Testing

@testable import RigLab

/// The repository's own small workers, which are not part of the build.
enum OwnWorker {
    static let repository = Checkout.root.path

    /// Runs the kills of a plan in a laboratory, and judges them.
    static func kill(
        _ worker: WorkerProfile, by plan: KillPlan, of resource: Resource, in place: Workplace
    ) async throws -> [Judgement] {
        try await LaboratorySettings(
            worker: worker, resources: [resource], fileName: "fixture.mp4",
            scratch: place.path("scratch"),
            // No files may be left in the repository.
            environment: ["PYTHONDONTWRITEBYTECODE": "1"]
        ).inLaboratory { laboratory in
            for policy in plan.policies {
                if plan.trigger == .phase {
                    try await laboratory.countPhases(policy, runs: 1)
                } else {
                    try await laboratory.measureUninterrupted(policy, runs: 2)
                }
            }
            return try await laboratory.kills(of: plan).map(Judge.judge)
        }
    }
}

extension LaboratorySettings {
    /// Runs the body in a laboratory with an origin of its own, and then stops that.
    func inLaboratory<Value>(_ body: (Laboratory) async throws -> Value) async throws -> Value {
        try await withOrigin { origin in
            try await body(
                Laboratory(
                    settings: self, origin: origin, interruption: Interruption(),
                    isSound: Judge.isSound))
        }
    }

    /// Kills the worker once, at a moment, and returns the evidence.
    func oneKill(
        at trigger: Trigger, threshold: Int64 = 512 << 10
    ) async throws -> IterationEvidence {
        try await inLaboratory { try await $0.oneKill(at: trigger, threshold: threshold) }
    }
}

extension Laboratory {
    /// Kills the worker once, at a moment, and returns the evidence.
    func oneKill(
        at trigger: Trigger, threshold: Int64 = 512 << 10
    ) async throws -> IterationEvidence {
        let outcome = try await perform(
            PlannedIteration(
                iteration: 1, policy: Policy(threshold: ByteSize(bytes: threshold)),
                trigger: trigger, delaySeconds: 0, seed: 1))
        discard(outcome)
        // The next iteration of that number must not begin in a folder that is being removed.
        await settle()
        return try #require(outcome.kills.first)
    }

    /// The evidence of all kills of a plan; `look` sees what each iteration has left.
    func kills(
        of plan: KillPlan, _ look: (IterationOutcome) -> Void = { _ in }
    ) async throws -> [IterationEvidence] {
        var kills: [IterationEvidence] = []
        for planned in plan.schedule {
            let outcome = try await perform(planned)
            look(outcome)
            discard(outcome)
            kills += outcome.kills
        }
        return kills
    }
}
