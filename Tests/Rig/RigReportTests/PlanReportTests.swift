import Foundation
import RigModel
import RigReport
import Testing

@Suite struct PlanReportTests {
    static func preview(
        policies: [String] = ["512KB"], trigger: TriggerKind = .random, kills: Int? = 100,
        strata: [PlannedStratum]? = nil, gates: [GatePreview] = []
    ) -> PlanPreview {
        PlanPreview(
            plan: KillPlan(
                seed: UInt64.max, iterations: 100, policies: policies.compactMap { Policy($0) },
                trigger: trigger, videoLength: 10 << 20),
            fault: .sigkill, workload: .download, reach: [.receiving, .committing],
            killsPerPolicy: kills,
            strata: strata ?? [
                PlannedStratum(trigger: .bytes, phase: nil, kills: 50, rateBound: 0.058_155_1),
                PlannedStratum(trigger: .time, phase: nil, kills: 50, rateBound: 0.058_155_1),
            ],
            needs: [
                RateNeed(rate: 0.01, kills: 299, iterations: 299, iterationsOfStrata: 598),
                RateNeed(rate: 0.001, kills: 2_995, iterations: 2_995, iterationsOfStrata: nil),
            ],
            gates: gates, rateBound: kills == nil ? nil : 0.029_513)
    }

    private static let gates = [
        GatePreview(gate: "violations == 0", iterationsNeeded: 1, objection: nil),
        GatePreview(gate: "violation_rate.ucb95 < 5%", iterationsNeeded: 59, objection: nil),
        GatePreview(gate: "violation_rate < 1%", iterationsNeeded: 368, objection: "too few"),
        GatePreview(gate: "violation_rate <= 0", iterationsNeeded: nil, objection: "never"),
    ]

    @Test func theTextSaysWhatCanBeConcluded() {
        let preview = Self.preview(gates: Self.gates)
        let text = """
            100 kills, seed 18446744073709551615, digest \(preview.plan.digest)
            trigger random, fault sigkill, workload download, 10.0 MB

            policy  durability  iterations  kills each  kills  rate below at best
            512KB   process            100           1    100              2.95 %

            trigger  kills  rate below at best
            bytes       50              5.82 %
            time        50              5.82 %

            if no kill breaks a promise, the true rate is below 2.95 % (95 % confidence)
            in which phases kills land is measured, not planned; --trigger phase --stratify plans it
            below 1 %: 299 kills without a violation, --iterations 299; in every stratum:\
             --iterations 598
            below 0.1 %: 2995 kills without a violation, --iterations 2995

            gate can hold     violations == 0
            gate can hold     violation_rate.ucb95 < 5% (needs >= 59 iterations)
            gate cannot hold  violation_rate < 1% (needs >= 368 iterations)
            gate cannot hold  violation_rate <= 0 (however many)

            """
        #expect(PlanTable.text(preview) == text)
    }

    @Test func strataByPhaseAreNamed() {
        let text = PlanTable.text(
            Self.preview(
                policies: ["256KB", "512KB"], trigger: .phase,
                strata: [
                    PlannedStratum(
                        trigger: .phase, phase: .receiving, kills: 100, rateBound: 0.029_513),
                    PlannedStratum(trigger: .phase, phase: .evicting, kills: 0, rateBound: nil),
                ]))
        let block = """
            of each policy:
            trigger  phase      kills  rate below at best
            phase    receiving    100              2.95 %
            phase    evicting       0                   -

            """
        #expect(text.hasPrefix("200 kills, "))
        #expect(text.contains(block))
        #expect(!text.contains("measured, not planned"))
    }

    @Test func whatIsNotCountedYetIsNotGuessed() throws {
        let open = Self.preview(trigger: .syscall, kills: nil, strata: [])
        let text = PlanTable.text(open)
        #expect(text.hasPrefix("seed 18446744073709551615\n"))
        expect(
            text, has: "512KB   process              -           1      -                   -",
            "the run counts the calls of an uninterrupted run first")
        let object = try parsed(PlanJSON.text(open))
        for key in [
            "iterations", "kills_per_policy", "violation_rate_ucb95_at_best", "plan_digest",
        ] { #expect(object[key] is NSNull, "\(key)") }
    }

    /// The plan of a checked program had all of its kills by the clock, and the run had half.
    @Test(arguments: [nil, "slice:1/2"])
    func linesThatAreNotCountedYetAreNotGuessed(part: String?) throws {
        var refinement = KillPlan.Refinement()
        refinement.lacksBytes = true
        let plan = KillPlan(
            seed: 7, iterations: 100, policies: [.program], trigger: .random,
            videoLength: 10 << 20, refinement: refinement)
        var preview = PlanPreview(
            plan: plan, fault: .sigkill, workload: .check, reach: [], killsPerPolicy: 100,
            strata: [PlannedStratum(trigger: .time, phase: nil, kills: 100, rateBound: 0.029_513)],
            needs: [RateNeed(rate: 0.01, kills: 299, iterations: 299, iterationsOfStrata: 299)],
            gates: [], rateBound: 0.029_513)
        preview.partition = try part.map { try #require(RunPartition($0)) }
        let text = PlanTable.text(preview)
        #expect(text.contains("half of the kills come right after one") == (part == nil))
        #expect(text.contains("time       100") == (part != nil), "\(text)")
        let object = try parsed(PlanJSON.text(preview))
        #expect((object["strata"] as? [Any])?.count == (part == nil ? 0 : 1))
    }

    @Test func theJSONSaysTheSame() throws {
        let object = try parsed(PlanJSON.text(Self.preview(gates: Self.gates)))
        #expect(object["seed"] as? String == "18446744073709551615")
        #expect(object["iterations"] as? Int == 100)
        #expect(object["violation_rate_ucb95_at_best"] as? Double == 0.029_513)
        #expect(object["phases_in_reach"] as? [String] == ["receiving", "committing"])
        let strata = try #require(object["strata"] as? [[String: Any]])
        #expect(strata.map { $0["trigger"] as? String } == ["bytes", "time"])
        #expect(strata.allSatisfy { $0["phase"] is NSNull })
        let needed = try #require(object["needed"] as? [[String: Any]])
        #expect(needed.map { $0["kills"] as? Int } == [299, 2_995])
        let gates = try #require(object["gates"] as? [[String: Any]])
        #expect(gates.map { $0["reachable"] as? Bool } == [true, true, false, false])
        #expect(gates.map { $0["iterations_needed"] as? Int } == [1, 59, 368, nil])
        #expect(gates[2]["objection"] as? String == "too few")
    }

    /// In both formats a caveat replaces the rate.
    @Test(arguments: [true, false])
    func aCaveatTakesThePlaceOfTheRate(isSpared: Bool) throws {
        let policy = try #require(Policy("512KB"))
        let preview = PlanPreview(
            plan: KillPlan(
                seed: 7, iterations: 5, policies: [policy], trigger: .time,
                pinned: isSpared ? .never : nil, videoLength: 10 << 20),
            fault: isSpared ? .sigkill : .powerCut, workload: .download, reach: [.receiving],
            killsPerPolicy: isSpared ? 0 : 5, strata: [], needs: [], gates: [], rateBound: nil,
            caveats: ["nothing is promised"])
        let text = PlanTable.text(preview)
        expect(text, has: "\nnothing is promised\n", lacks: "true rate", "counts the calls")
        #expect(text.hasPrefix(isSpared ? "no worker is killed, seed 7" : "5 kills, seed 7"))
        #expect(text.contains("trigger time at never,") == isSpared)
        let object = try parsed(PlanJSON.text(preview))
        #expect(object["caveats"] as? [String] == ["nothing is promised"])
        #expect(object["durability"] as? String == "process")
        #expect(object["violation_rate_ucb95_at_best"] is NSNull)
        #expect(object["iterations"] as? Int == 5)
    }

    @Test func theRowsAreTheKills() throws {
        let policy = try #require(Policy("512KB"))
        let planned = PlannedIteration(
            iteration: 3, policy: policy,
            kills: [
                PlannedKill(kill: 1, trigger: .bytes(700), delaySeconds: 0.001_25),
                PlannedKill(kill: 2, trigger: .phase(.recovering), delaySeconds: 0),
            ], seed: 9)
        let text = """
            iteration,kill,policy,trigger,planned,delay_seconds,seed
            3,1,512KB,bytes,700,0.001250000,9
            3,2,512KB,phase,recovering,0.000000000,9

            """
        #expect(PlanCSV.header + PlanCSV.lines(planned) == text)
    }
}
