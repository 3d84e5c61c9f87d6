import RigModel
import RigVerdict
import Testing

@Suite struct PlanPreviewTests {
    private func plan(
        iterations: Int = 100, policies: [String] = ["512KB"], trigger: TriggerKind = .random,
        pinned: Trigger? = nil, change: (inout KillPlan.Refinement) -> Void = { _ in }
    ) -> KillPlan {
        var refinement = KillPlan.Refinement()
        change(&refinement)
        return KillPlan(
            seed: 7, iterations: iterations, policies: policies.compactMap { Policy($0) },
            trigger: trigger, pinned: pinned, videoLength: 10 << 20, refinement: refinement)
    }

    private func preview(
        _ plan: KillPlan, fault: Fault = .sigkill, gates: [String] = []
    ) throws -> PlanPreview {
        try PlanPreview(
            of: plan, fault: fault, workload: .download, reach: Phase.allCases,
            gates: gates.map { try Gate($0) })
    }

    @Test func whatTheREADMEsRunProvesAtBest() throws {
        let preview = try preview(plan())
        let bound = try #require(preview.rateBound)
        // scipy.stats.beta.ppf(.95, 1, [100, 50])
        #expect(abs(bound - 0.029513049607039925) < 1e-12)
        #expect(preview.killsPerPolicy == 100)
        #expect(preview.strata.map(\.trigger) == [.bytes, .time])
        #expect(preview.strata.map(\.kills) == [50, 50])
        for stratum in preview.strata {
            #expect(abs(try #require(stratum.rateBound) - 0.05815507911697225) < 1e-12)
        }
        #expect(
            preview.needs == [
                RateNeed(rate: 0.01, kills: 299, iterations: 299, iterationsOfStrata: 598),
                RateNeed(rate: 0.001, kills: 2_995, iterations: 2_995, iterationsOfStrata: 5_990),
            ])
    }

    /// The strata are counted from the plan itself, so they match those of the run's rows.
    @Test func strataAreThePlansOwn() throws {
        for kills in [1, 4] {
            let plan = plan(policies: ["256KB", "1MB"], trigger: .phase) { $0.kills = kills }
            let preview = try preview(plan)
            for policy in plan.policies {
                let planned = plan.schedule.filter { $0.policy == policy }.flatMap(\.kills)
                #expect(preview.killsPerPolicy == planned.count)
                #expect(preview.strata.reduce(0) { $0 + $1.kills } == planned.count)
                for stratum in preview.strata {
                    let alike = planned.count { kill in
                        guard case .phase(let phase) = kill.trigger else {
                            return stratum.phase == nil && kill.trigger.kind == stratum.trigger
                        }
                        return phase == stratum.phase
                    }
                    #expect(alike == stratum.kills)
                }
            }
        }
    }

    @Test func stratifiedPhasesGetTheSameNumberOfKills() throws {
        func stratified(_ iterations: Int) -> KillPlan {
            plan(iterations: iterations, trigger: .phase) {
                $0.isStratified = true
                $0.phases = [.receiving, .committing, .checkpointing, .completing]
            }
        }
        let preview = try preview(stratified(40))
        // If the kills cannot be spread evenly, the need is still that of an even spread.
        #expect(try self.preview(stratified(41)).needs == preview.needs)
        #expect(
            preview.strata.map(\.phase) == [.receiving, .committing, .checkpointing, .completing])
        #expect(preview.strata.map(\.kills) == [10, 10, 10, 10])
        #expect(preview.needs.map(\.iterationsOfStrata) == [1_196, 11_980])
    }

    /// With two kills and ten phases, the eight that get none are named.
    @Test func aPhaseThatChanceLeavesOutIsNamed() throws {
        let preview = try preview(plan(iterations: 2, trigger: .phase))
        #expect(preview.strata.compactMap(\.phase) == Phase.allCases)
        #expect(preview.strata.filter { $0.kills == 0 }.count >= 8)
        #expect(preview.strata.filter { $0.kills == 0 }.allSatisfy { $0.rateBound == nil })
        #expect(preview.needs.map(\.iterationsOfStrata) == [nil, nil])
    }

    @Test func aPinnedMomentIsOneStratum() throws {
        let preview = try preview(plan(trigger: .phase, pinned: .phase(.committing)))
        #expect(preview.strata.map(\.phase) == [.committing])
        #expect(preview.strata.map(\.kills) == [100])
    }

    @Test func chainsNeedFewerIterations() throws {
        let preview = try preview(plan(iterations: 60) { $0.kills = 5 })
        #expect(preview.killsPerPolicy == 300)
        #expect(preview.needs.map(\.iterations) == [60, 599])
    }

    /// The run counts the calls, so before it the number of kills is unknown.
    @Test func uncountedCallsLeaveEverythingOpen() throws {
        let open = try preview(plan(trigger: .syscall) { $0.isExhaustive = true })
        #expect(open.killsPerPolicy == nil && open.rateBound == nil)
        #expect(open.strata.isEmpty)
        #expect(open.needs.isEmpty)
        let gate = ["violation_rate.ucb95 < 1%"]
        let gated = try preview(
            plan(iterations: 1, trigger: .syscall) { $0.isExhaustive = true }, gates: gate)
        #expect(gated.gates.map(\.objection) == [nil])
        let counted = try preview(
            plan(iterations: 866, trigger: .syscall) {
                $0.isExhaustive = true
                $0.points = ["512KB": 433]
            })
        #expect(counted.killsPerPolicy == 866)
        #expect(counted.strata.map(\.trigger) == [.syscall])
        #expect(counted.plan.hasKnownMoments)
        // Without --exhaustive there are as many kills as requested, at calls not known yet.
        let drawn = try preview(plan(trigger: .syscall))
        #expect(drawn.killsPerPolicy == 100)
        #expect(drawn.strata.map(\.kills) == [100])
        #expect(!drawn.plan.hasKnownMoments)
        let pinned = CallMoment(ordinal: 3, edge: .before)
        #expect(try preview(plan(trigger: .syscall, pinned: .syscall(pinned))).rateBound != nil)
    }

    @Test func gatesSayWhatTheyNeed() throws {
        let preview = try preview(
            plan(iterations: 100),
            gates: [
                "violations == 0", "violation_rate.ucb95 < 5%", "violation_rate.ucb95 < 1%",
                "recovery_seconds.p99 < 1", "violation_rate <= 0",
            ])
        #expect(preview.gates.map(\.iterationsNeeded) == [1, 59, 299, 368, nil])
        #expect(preview.gates.map { $0.objection == nil } == [true, true, false, false, false])
        #expect(throws: RigError.self) { try self.preview(plan(), gates: ["1MB:violations == 0"]) }
    }

    @Test func withoutKillsThereIsNothingToProve() throws {
        let spared = try preview(
            plan(trigger: .time, pinned: .never),
            gates: ["violations == 0", "violation_rate.ucb95 < 50%"])
        #expect(spared.killsPerPolicy == 0 && spared.rateBound == nil)
        #expect(spared.strata.isEmpty && spared.needs.isEmpty)
        #expect(spared.caveats == ["no worker is killed: this says nothing about kills"])
        #expect(spared.gates.map { $0.objection == nil } == [true, false])
    }

    /// The plan of a power cut stated a rate for commits that need not survive it.
    @Test(arguments: Fault.allCases, [Durability.process, .power])
    func aRateNeedsAPromise(fault: Fault, durability: Durability) throws {
        let policy = try #require(Policy("512KB", durability: durability))
        let plan = KillPlan(
            seed: 7, iterations: 100, policies: [policy], trigger: .random, videoLength: 10 << 20)
        let preview = try preview(plan, fault: fault)
        let isPromised = !fault.isPowerCut || durability == .power
        #expect(preview.killsPerPolicy == 100)
        #expect((preview.rateBound != nil) == isPromised)
        #expect(preview.strata.allSatisfy { ($0.rateBound != nil) == isPromised })
        #expect(preview.needs.isEmpty == !isPromised && preview.caveats.isEmpty == isPromised)
        if !isPromised {
            #expect(preview.caveats.first?.contains("promises nothing under a power cut") == true)
        }
    }
}
