import RigModel
import Testing

@Suite struct KillPlanTests {
    static let policies = ["256KB", "512KB", "disabled"].compactMap { Policy($0) }

    static func plan(
        seed: UInt64 = 42, iterations: Int = 50, policies: [Policy] = policies,
        trigger: TriggerKind = .random, pinned: Trigger? = nil, videoLength: Int64 = 10_485_760
    ) -> KillPlan {
        KillPlan(
            seed: seed, iterations: iterations, policies: policies, trigger: trigger,
            pinned: pinned, videoLength: videoLength)
    }

    @Test func sameSeedGivesTheSamePlan() {
        #expect(Self.plan().schedule == Self.plan().schedule)
    }

    @Test func anotherSeedGivesAnotherPlan() {
        let moments = Set(
            (0..<20).map { Self.plan(seed: $0, trigger: .bytes).schedule.first?.trigger })
        #expect(moments.count == 20)
    }

    @Test func anIterationDependsOnSeedAndIndexOnly() {
        let whole = Self.plan(iterations: 1_000)
        let alone = Self.plan(iterations: 1, policies: [Policy(threshold: nil)])
        for index in [1, 2, 3, 499, 1_000] {
            let one = alone.iteration(index, policy: Policy(threshold: nil))
            for policy in Self.policies {
                let other = whole.iteration(index, policy: policy)
                #expect(other.trigger == one.trigger)
                #expect(other.seed == one.seed)
                #expect(other.delaySeconds == one.delaySeconds)
                #expect(other.policy == policy)
            }
        }
    }

    @Test func policiesAreInterleavedInTheOrderAskedFor() {
        let schedule = Self.plan(iterations: 4).schedule
        #expect(schedule.map(\.iteration) == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
        #expect(
            schedule.map(\.policy.name) == (0..<4).flatMap { _ in Self.policies.map(\.name) })
    }

    @Test(arguments: [0, 1])
    func aPlanMayBeShort(iterations: Int) {
        #expect(Self.plan(iterations: iterations).schedule.count == iterations * 3)
    }

    @Test(arguments: [3, 4, 1_000, 10_485_760] as [Int64])
    func bytesLieStrictlyInsideTheVideo(videoLength: Int64) {
        let plan = Self.plan(iterations: 500, trigger: .bytes, videoLength: videoLength)
        var counts: Set<Int64> = []
        for planned in plan.schedule {
            guard case .bytes(let count) = planned.trigger else {
                Issue.record("not by bytes: \(planned)")
                continue
            }
            counts.insert(count)
            #expect((1..<videoLength).contains(count))
            #expect((0..<KillPlan.longestDelaySeconds).contains(planned.delaySeconds))
        }
        // Both ends are reached where there are few positions.
        if videoLength <= 4 { #expect(counts == Set(1..<videoLength)) }
        if videoLength > 1_000 { #expect(counts.count > 490) }
    }

    @Test func timesLieInTheInterval() {
        for planned in Self.plan(iterations: 500, trigger: .time).schedule {
            guard case .time(let fraction) = planned.trigger else {
                Issue.record("not by time: \(planned)")
                continue
            }
            #expect(KillPlan.timeFractions.contains(fraction))
            #expect(planned.delaySeconds == 0)
        }
    }

    @Test func randomTakesBytesAndTimeInTurn() {
        let kinds = Self.plan(iterations: 6, policies: [Policy(threshold: nil)]).schedule
            .map(\.trigger.kind)
        #expect(kinds == [.bytes, .time, .bytes, .time, .bytes, .time])
    }

    @Test(arguments: [Trigger.bytes(4_096), .time(0.25)])
    func aPinnedMomentIsTakenEveryTime(pinned: Trigger) {
        let schedule = Self.plan(iterations: 20, pinned: pinned).schedule
        #expect(Set(schedule.map(\.trigger)) == [pinned])
        #expect(Set(schedule.map(\.seed)).count == 20)
    }

    @Test(arguments: [(Trigger.bytes(42), "bytes", "42"), (.time(0.25), "time", "0.250000")])
    func triggersAreWrittenAsInTheCSV(trigger: Trigger, kind: String, planned: String) {
        #expect(trigger.kind.rawValue == kind)
        #expect(trigger.planned == planned)
    }
}
