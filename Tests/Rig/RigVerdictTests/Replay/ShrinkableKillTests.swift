import RigModel
import RigVerdict
import Testing

/// A planned kill as numbers, and back.
struct ShrinkableKillTests {
    private func kill(
        _ policy: String = "512KB", trigger: TriggerKind = .bytes, pinned: Trigger? = nil,
        workload: Workload = .download, source: String = "fixture", video: Int64 = 10 << 20
    ) throws -> StoredKill {
        let policies = [try #require(Policy(policy))]
        var refinement = KillPlan.Refinement()
        refinement.points = [policy: 400]
        let plan = KillPlan(
            seed: 9, iterations: 7, policies: policies, trigger: trigger, pinned: pinned,
            videoLength: workload.length(videoLength: video, policies: policies),
            refinement: refinement)
        var manifest = makeManifest(plan, RunSpec(workload: workload))
        manifest.video = .init(source: source, length: video, etag: "e")
        return StoredKill(
            manifest: manifest, planned: plan.iteration(7, policy: policies[0]), kill: 1,
            verdict: .fail, reason: "bound: x", checkers: [.bound])
    }

    @Test func theNumbersAreThoseOfTheKill() throws {
        let shrinkable = ShrinkableKill(try kill(pinned: .bytes(5_220_081)))
        #expect(shrinkable.dimensions.map(\.name) == ["threshold", "byte", "video size"])
        #expect(shrinkable.dimensions.map(\.value) == [512, 5_220_081, 10_240])
    }

    /// A worker that is not killed has no kill moment to shrink.
    @Test func aSparedWorkerStaysSpared() throws {
        let shrinkable = ShrinkableKill(try kill(trigger: .time, pinned: .never))
        #expect(shrinkable.dimensions.map(\.name) == ["threshold", "video size"])
        let smaller = try #require(shrinkable.manifest([16, 1_000]))
        #expect(smaller.plan.sparesWorkers)
        #expect(smaller.killTestCommand(iterations: 1).contains("--trigger time --at never "))
    }

    /// The first case of the search is the kill itself.
    @Test(arguments: [
        (TriggerKind.bytes, Workload.download), (.time, .download), (.syscall, .download),
        (.bytes, .switching), (.time, .offlineLibrary),
    ])
    func theNumbersAsTheyWereMakeTheKill(trigger: TriggerKind, workload: Workload) throws {
        let kill = try kill(trigger: trigger, workload: workload)
        let shrinkable = ShrinkableKill(kill)
        let manifest = try #require(shrinkable.manifest(shrinkable.dimensions.map(\.value)))
        let planned = try #require(manifest.plan.schedule.first)
        #expect(planned.seed == kill.planned.seed)
        #expect(planned.first.trigger.planned == kill.planned.first.trigger.planned)
        #expect(planned.first.delaySeconds == kill.planned.first.delaySeconds)
        #expect(planned.policy == kill.planned.policy)
        #expect(manifest.plan.videoLength == kill.manifest.plan.videoLength)
    }

    @Test func smallerNumbersMakeASmallerRun() throws {
        let shrinkable = ShrinkableKill(try kill(pinned: .bytes(5_220_081)))
        let values: [Int64] = [16, 16_385, 1_000]
        let manifest = try #require(shrinkable.manifest(values))
        #expect(manifest.plan.policies.map(\.name) == ["16KB"])
        #expect(manifest.plan.pinned == .bytes(16_385))
        #expect(manifest.video.length == 1_024_000 && manifest.plan.videoLength == 1_024_000)
        #expect(
            shrinkable.changes(values) == [
                .init(name: "threshold", before: "512KB", after: "16KB"),
                .init(name: "byte", before: "5220081", after: "16385"),
                .init(name: "video size", before: "10MB", after: "1000KB"),
            ])
        #expect(
            manifest.killTestCommand(iterations: 2).contains(
                "--iterations 2 --thresholds 16KB --trigger bytes --at 16385"))
    }

    @Test func aByteOutsideTheVideoIsNoCase() throws {
        let shrinkable = ShrinkableKill(try kill(pinned: .bytes(5_220_081)))
        #expect(shrinkable.manifest([512, 1_024_000, 1_000]) == nil)
        #expect(shrinkable.manifest([512, 1_023_999, 1_000]) != nil)
    }

    @Test func whatHasNoNumberStaysAsItIs() throws {
        func names(_ kill: StoredKill) -> [String] { ShrinkableKill(kill).dimensions.map(\.name) }
        #expect(try names(kill("disabled")) == ["byte", "video size"])
        #expect(try names(kill(source: "my.mp4")) == ["threshold", "byte"])
        #expect(try names(kill(workload: .offlineLibrary)) == ["threshold", "byte"])
        #expect(
            try names(kill(trigger: .phase, pinned: .phase(.committing)))
                == ["threshold", "video size"])
        #expect(try names(kill(trigger: .syscall)) == ["threshold", "call", "video size"])
    }
}
