import RigModel
import RigVerdict
import Testing

@Suite struct ProspectTests {
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

    private func prospect(
        _ plan: KillPlan, fault: Fault = .sigkill, gates: [String] = []
    ) throws -> Prospect {
        try Prospect(
            of: plan, fault: fault, workload: .download, reach: Phase.allCases,
            gates: gates.map { try Gate($0) })
    }

    @Test func whatTheREADMEsRunProvesAtBest() throws {
        let prospect = try prospect(plan())
        let bound = try #require(prospect.rateBound)
        // scipy.stats.beta.ppf(.95, 1, [100, 50])
        #expect(abs(bound - 0.029513049607039925) < 1e-12)
        #expect(prospect.killsPerPolicy == 100)
        #expect(prospect.strata.map(\.trigger) == [.bytes, .time])
        #expect(prospect.strata.map(\.kills) == [50, 50])
        for stratum in prospect.strata {
            #expect(abs(try #require(stratum.rateBound) - 0.05815507911697225) < 1e-12)
        }
        #expect(
            prospect.needs == [
                RateNeed(rate: 0.01, kills: 299, iterations: 299, iterationsOfStrata: 598),
                RateNeed(rate: 0.001, kills: 2_995, iterations: 2_995, iterationsOfStrata: 5_990),
            ])
    }

    /// The strata are counted from the plan itself, so they match those of the run's rows.
    @Test func strataAreThePlansOwn() throws {
        for kills in [1, 4] {
            let plan = plan(policies: ["256KB", "1MB"], trigger: .phase) { $0.kills = kills }
            let prospect = try prospect(plan)
            for policy in plan.policies {
                let planned = plan.schedule.filter { $0.policy == policy }.flatMap(\.kills)
                #expect(prospect.killsPerPolicy == planned.count)
                #expect(prospect.strata.reduce(0) { $0 + $1.kills } == planned.count)
                for stratum in prospect.strata {
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
        let prospect = try prospect(stratified(40))
        // If the kills cannot be spread evenly, the need is still that of an even spread.
        #expect(try self.prospect(stratified(41)).needs == prospect.needs)
        #expect(
            prospect.strata.map(\.phase) == [.receiving, .committing, .checkpointing, .completing])
        #expect(prospect.strata.map(\.kills) == [10, 10, 10, 10])
        #expect(prospect.needs.map(\.iterationsOfStrata) == [1_196, 11_980])
    }

    /// With two kills and ten phases, the eight that get none are named.
    @Test func aPhaseThatChanceLeavesOutIsNamed() throws {
        let prospect = try prospect(plan(iterations: 2, trigger: .phase))
        #expect(prospect.strata.compactMap(\.phase) == Phase.allCases)
        #expect(prospect.strata.filter { $0.kills == 0 }.count >= 8)
        #expect(prospect.strata.filter { $0.kills == 0 }.allSatisfy { $0.rateBound == nil })
        #expect(prospect.needs.map(\.iterationsOfStrata) == [nil, nil])
    }

    @Test func aPinnedMomentIsOneStratum() throws {
        let prospect = try prospect(plan(trigger: .phase, pinned: .phase(.committing)))
        #expect(prospect.strata.map(\.phase) == [.committing])
        #expect(prospect.strata.map(\.kills) == [100])
    }

    @Test func chainsNeedFewerIterations() throws {
        let prospect = try prospect(plan(iterations: 60) { $0.kills = 5 })
        #expect(prospect.killsPerPolicy == 300)
        #expect(prospect.needs.map(\.iterations) == [60, 599])
    }

    /// The run counts the calls, so before it the number of kills is unknown.
    @Test func uncountedCallsLeaveEverythingOpen() throws {
        let open = try prospect(plan(trigger: .syscall) { $0.isExhaustive = true })
        #expect(open.killsPerPolicy == nil)
        #expect(open.rateBound == nil)
        #expect(open.strata.isEmpty)
        #expect(open.needs.isEmpty)
        let gate = ["violation_rate.ucb95 < 1%"]
        let gated = try prospect(
            plan(iterations: 1, trigger: .syscall) { $0.isExhaustive = true }, gates: gate)
        #expect(gated.gates.map(\.objection) == [nil])
        let counted = try prospect(
            plan(iterations: 866, trigger: .syscall) {
                $0.isExhaustive = true
                $0.points = ["512KB": 433]
            })
        #expect(counted.killsPerPolicy == 866)
        #expect(counted.strata.map(\.trigger) == [.syscall])
        #expect(counted.plan.hasKnownMoments)
        // Without --exhaustive there are as many kills as requested, at calls not known yet.
        let drawn = try prospect(plan(trigger: .syscall))
        #expect(drawn.killsPerPolicy == 100)
        #expect(drawn.strata.map(\.kills) == [100])
        #expect(!drawn.plan.hasKnownMoments)
        let pinned = CallMoment(ordinal: 3, edge: .before)
        #expect(try prospect(plan(trigger: .syscall, pinned: .syscall(pinned))).rateBound != nil)
    }

    @Test func gatesSayWhatTheyNeed() throws {
        let prospect = try prospect(
            plan(iterations: 100),
            gates: [
                "violations == 0", "violation_rate.ucb95 < 5%", "violation_rate.ucb95 < 1%",
                "recovery_seconds.p99 < 1", "violation_rate <= 0",
            ])
        #expect(prospect.gates.map(\.iterationsNeeded) == [1, 59, 299, 368, nil])
        #expect(prospect.gates.map { $0.objection == nil } == [true, true, false, false, false])
        #expect(throws: RigError.self) { try self.prospect(plan(), gates: ["1MB:violations == 0"]) }
    }

    @Test func whereNobodyIsKilledThereIsNothingToProve() throws {
        let spared = try prospect(
            plan(trigger: .time, pinned: .never),
            gates: ["violations == 0", "violation_rate.ucb95 < 50%"])
        #expect(spared.killsPerPolicy == 0)
        #expect(spared.rateBound == nil)
        #expect(spared.strata.isEmpty && spared.needs.isEmpty)
        #expect(spared.caveats == ["nobody is killed: this says nothing about kills"])
        #expect(spared.gates.map { $0.objection == nil } == [true, false])
    }

    /// Under a power cut, commits that need not survive it promise nothing.
    ///
    /// The plan still used to state the rate at which promises would be kept.
    @Test(arguments: Fault.allCases, [Durability.process, .power])
    func aRateNeedsAPromise(fault: Fault, durability: Durability) throws {
        let policy = try #require(Policy("512KB", durability: durability))
        let plan = KillPlan(
            seed: 7, iterations: 100, policies: [policy], trigger: .random, videoLength: 10 << 20)
        let prospect = try prospect(plan, fault: fault)
        let isPromised = !fault.isPowerCut || durability == .power
        #expect(prospect.killsPerPolicy == 100)
        #expect((prospect.rateBound != nil) == isPromised)
        #expect(prospect.strata.allSatisfy { ($0.rateBound != nil) == isPromised })
        #expect(prospect.needs.isEmpty == !isPromised)
        #expect(prospect.caveats.isEmpty == isPromised)
        if !isPromised {
            #expect(prospect.caveats.first?.contains("promises nothing under a power cut") == true)
        }
    }
}
