import RigModel
import RigVerdict
import Testing

@Suite struct StrataTests {
    private func row(_ index: Int, _ phase: Phase?, _ verdict: Verdict = .pass) -> IterationRow {
        makeRow(iteration: index, verdict: verdict) { $0.phase = phase }
    }

    @Test func eachPhaseHasABoundOfItsOwn() throws {
        var rows = (1...90).map { row($0, .receiving) }
        rows += (91...100).map { row($0, .committing) }
        rows.append(row(101, .committing, .fail))
        rows.append(row(102, .checkpointing, .inconclusive))
        rows.append(row(103, nil))
        let strata = Strata.of(rows)
        #expect(strata.map(\.phase) == Phase.allCases + [nil])
        let kills = Dictionary(uniqueKeysWithValues: strata.map { ($0.phase, $0) })
        #expect(kills[.receiving]?.kills == 90)
        #expect(kills[.committing]?.kills == 11)
        #expect(kills[.committing]?.violations == 1)
        #expect(kills[.checkpointing]?.kills == 0)
        #expect(kills[.checkpointing]?.violationRateUCB95 == nil)
        #expect(strata.last?.kills == 1)
        // scipy.stats.beta.ppf(.95, [1, 2, 1], [90, 10, 1])
        for (phase, wanted) in [
            (Phase.receiving, 0.03273803383353457), (.committing, 0.3643594892472425), (nil, 0.95),
        ] {
            let bound = try #require(kills[phase]?.violationRateUCB95)
            #expect(abs(bound - wanted) < 1e-9)
        }
    }

    @Test func aStratumOfFewKillsProvesLessThanTheWhole() throws {
        let rows = (1...100).map { row($0, $0 > 3 ? .receiving : .evicting) }
        let summary = try #require(Summaries.of(rows).first)
        let whole = try #require(summary.violationRateUCB95)
        for stratum in summary.strata where stratum.kills > 0 {
            #expect(try #require(stratum.violationRateUCB95) > whole)
        }
        #expect(summary.strata.reduce(0) { $0 + $1.kills } == summary.conclusive)
    }

    /// A worker that was spared was found idle, and the run claimed kills in that phase.
    @Test func aSparedWorkerIsNoKill() throws {
        let spared = makeRows(20) { row in
            row.trigger = Trigger.never.kind.rawValue
            row.planned = Trigger.never.planned
            row.phase = .idle
        }
        let strata = Strata.of(spared + [row(21, .receiving)])
        #expect(strata.filter { $0.kills > 0 }.map(\.phase) == [.receiving])
        #expect(strata.first { $0.phase == .idle }?.violationRateUCB95 == nil)

        let gate = try Gate("phases_hit >= 1")
        func result(_ rows: [IterationRow]) throws -> GateResult {
            try #require(Gate.evaluate([gate], rows: rows).first)
        }
        let mixed = try result(spared + [row(21, .receiving)])
        #expect(mixed.value == 1 && mixed.n == 1)
        #expect(try result(spared).verdict == .unknown, "no worker was killed anywhere")
    }

    @Test func phasesOutOfReachAreCalledSo() {
        let reach: [Phase] = [.receiving, .committing]
        let strata = Strata.of([row(1, .receiving)], reach: reach)
        #expect(strata.filter(\.isInReach).map(\.phase) == [.receiving, .committing])
        // A kill in a phase shows that it is in reach after all.
        let other = Strata.of([row(1, .evicting)], reach: reach)
        #expect(other.first { $0.phase == .evicting }?.isInReach == true)
    }

    @Test func withoutRowsEveryPhaseIsThereAndNothingIsKnown() {
        let strata = Strata.of([])
        #expect(strata.map(\.phase) == Phase.allCases)
        #expect(strata.allSatisfy { $0.kills == 0 && $0.violationRateUCB95 == nil })
    }

    @Test(arguments: [
        (866, 866, RigModel.ExitStatus.success), (865, 866, .inconclusive), (0, 866, .inconclusive),
    ])
    func aKillPointThatWasMissedLeavesTheRunInconclusive(
        hit: Int, counted: Int, status: RigModel.ExitStatus
    ) throws {
        let summary = try RunSummary(
            runID: "run", command: "rig", seed: 1, rows: makeRows(9), expectedRows: 9,
            coverage: KillPointCoverage(hit: hit, counted: counted))
        #expect(summary.status == status)
        let missed = "\(counted - hit) of 866 kill points were not hit"
        #expect(summary.sentences.contains { $0.hasPrefix(missed) } == (hit < counted))
    }

    @Test func anExhaustiveRunsPointsAreCountedFromItsRows() throws {
        var refinement = KillPlan.Refinement()
        refinement.isExhaustive = true
        refinement.points = ["512KB": 2]
        let policy = try #require(Policy("512KB"))
        func plan(_ refinement: KillPlan.Refinement) -> KillPlan {
            KillPlan(
                seed: 1, iterations: 4, policies: [policy], trigger: .syscall, videoLength: 1 << 20,
                refinement: refinement)
        }
        // The same point twice, and one inconclusive: two of four are hit.
        let rows = [("1", Verdict.pass), ("1", .pass), ("1:after", .fail), ("2", .inconclusive)].map
        {
            planned, verdict in
            makeRow(verdict: verdict, reason: "early") { $0.planned = planned }
        }
        let coverage = KillPointCoverage(of: plan(refinement), rows: rows)
        #expect(coverage == KillPointCoverage(hit: 2, counted: 4))
        refinement.isExhaustive = false
        #expect(KillPointCoverage(of: plan(refinement), rows: rows) == nil)
        (refinement.isExhaustive, refinement.points) = (true, nil)
        #expect(KillPointCoverage(of: plan(refinement), rows: []) == nil)
    }

    @Test func theKillsOfChainsAreCountedAsKills() throws {
        let rows = (1...10).flatMap { index in
            (1...3).map { kill in makeRow(iteration: index) { $0.kill = kill } }
        }
        let summary = try RunSummary(
            runID: "run", command: "rig", seed: 1, rows: rows, expectedRows: 30)
        #expect(summary.sentences.last?.hasPrefix("0 violations in 30 kills: ") ?? false)
    }
}
