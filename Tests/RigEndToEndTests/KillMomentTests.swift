import Fixture
import FixtureOrigin
import Foundation
import RigLab
import RigModel
import RigVerdict
import Testing

extension EndToEndTests {
    /// Where kills by the clock land, against where they were planned.
    @Suite struct KillMomentTests {
        @Test func theClockKillsWhereItWasPlanned() async throws {
            let place = try Workplace()
            let evidence = try await killByTheClock(iterations: 80, in: place)
            let struck = evidence.filter { $0.killSent && $0.death == .signaled(9) }
            #expect(struck.count >= 76)

            // None is early, and a busy machine, which makes all of them late, not very.
            let late = struck.compactMap { evidence -> Double? in
                guard case .time(let planned) = evidence.planned.trigger else { return nil }
                return evidence.killFraction.map { $0 - planned }
            }
            #expect(late.allSatisfy { $0 >= 0 })
            #expect(late.count == struck.count)
            let usual = try #require(late.isEmpty ? nil : late.sorted()[late.count / 2])
            #expect(usual < 0.5)

            // But for what all are late by, the moments are uniform over the planned interval, as
            // the plan is.
            let moments = struck.compactMap(\.killFraction)
            #expect(moments.count == struck.count)
            let interval = KillPlan.timeFractions
            let clamped = moments.map {
                min(max($0 - usual, interval.lowerBound), interval.upperBound)
            }
            let uniformity = try #require(KolmogorovSmirnov(clamped, over: interval))
            #expect(uniformity.pValue > 0.001)

            let phases = Set(struck.compactMap { $0.witness?.phase })
            #expect(phases.isSuperset(of: [.receiving, .committing]))
        }

        private func killByTheClock(
            iterations: Int, in place: Workplace
        ) async throws -> [IterationEvidence] {
            let video = try FixtureVideo(seed: 1, length: 10 << 20)
            let origin = FixtureOrigin()
            try await origin.start()
            let laboratory = Laboratory(
                settings: LaboratorySettings(
                    worker: try Programs.worker(),
                    resource: Resource(source: video), fileName: "fixture.mp4",
                    scratch: place.path("scratch"), environment: [:]),
                origin: origin, interruption: Interruption())
            let policy = Policy(threshold: ByteSize(bytes: 512 << 10))
            let plan = KillPlan(
                seed: 51, iterations: iterations, policies: [policy], trigger: .time,
                videoLength: video.length)
            try await laboratory.measureUninterrupted(policy)
            var evidence: [IterationEvidence] = []
            for planned in plan.schedule {
                let outcome = try await laboratory.perform(planned)
                laboratory.discard(outcome)
                evidence += outcome.kills
            }
            await origin.stop()
            return evidence
        }
    }
}
