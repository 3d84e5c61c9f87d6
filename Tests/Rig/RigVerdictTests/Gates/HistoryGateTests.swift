import RigModel
import RigVerdict
import Testing

/// Gates that compare with the runs of a history.
@Suite struct HistoryGateTests {
    private static func rows(
        _ count: Int, seed: Int, more: Int64 = 0, broken: Int = 0
    ) -> [IterationRow] {
        (1...count).map { index in
            let scatter = (index * 7_919 + seed * 31) % 10_000
            let verdict: Verdict = index <= broken ? .fail : .pass
            return makeRow(
                "512KB", iteration: index, verdict: verdict, lost: 100_000 + Int64(scatter) + more,
                received: 1_000_000
            ) { row in row.seed = UInt64(seed + index) }
        }
    }

    private static func history(_ runs: [[IterationRow]]) -> GateBaseline {
        GateBaseline(
            run: nil,
            history: runs.enumerated().map {
                ComparableRun(name: "run \($0)", rows: $1, facts: nil)
            })
    }

    private static func verdict(
        _ gate: String, _ rows: [IterationRow], _ history: GateBaseline
    ) throws -> GateVerdict? {
        try Gate.evaluate([try Gate(gate)], rows: rows, baseline: history).first?.verdict
    }

    private static let five = history((1...5).map { rows(50, seed: $0 * 1_000) })

    @Test func readsBothReferences() throws {
        let gate = try Gate("lost_bytes.mean < +5% vs history")
        #expect(gate.reference == .history && gate.comparesWith(.history))
        #expect(try Gate("lost_bytes.mean < +5% vs baseline").comparesWith(.baseline))
        #expect(!(try Gate("lost_bytes.mean < 5KB").comparesWith(.baseline)))
        for text in [
            "lost_bytes.mean < +5% vs history vs baseline", "lost_bytes.mean < +5% history",
            "lost_bytes.mean < 5% vs history", "lost_bytes.mean < vs history",
        ] {
            #expect(throws: RigError.self) { try Gate(text) }
        }
    }

    @Test(arguments: [
        ("lost_bytes.mean < +5% vs history", Int64(0), GateVerdict.holds),
        ("lost_bytes.mean < +5% vs history", 20_000, .fails),
        ("lost_bytes.mean < +5% vs history", 5_200, .unknown),
        ("loss_percent < +1 vs history", 0, .holds),
        ("loss_percent < +1 vs history", 20_000, .fails),
        ("lost_bytes.median < +20KB vs history", 10_000, .holds),
        // Compared with the median of the runs' maxima, as all have as many rows.
        ("lost_bytes.max < +20KB vs history", 0, .holds),
        ("lost_bytes.max < +20KB vs history", 40_000, .fails),
        ("violations <= +0 vs history", 0, .holds),
        ("violation_rate < +0.2 vs history", 0, .holds),
        ("inconclusive_percent <= +0 vs history", 0, .holds),
    ])
    func decides(gate: String, more: Int64, verdict: GateVerdict) throws {
        let rows = Self.rows(50, seed: 9_000, more: more)
        #expect(try Self.verdict(gate, rows, Self.five) == verdict)
    }

    /// Twenty runs of one seed are one plan, tried twenty times: as pairs they would make every
    /// difference certain.
    @Test func runsOfOneSeedAreNoPairs() throws {
        let history = Self.history((1...20).map { _ in Self.rows(10, seed: 1) })
        let rows = Self.rows(10, seed: 1, more: 100)
        #expect(try Self.verdict("lost_bytes.mean <= +0 vs history", rows, history) == .unknown)
    }

    /// A maximum grows with the rows: fewer rows than a run of the history had cannot hold.
    @Test func fewerRowsThanBeforeCannotHold() throws {
        let rows = Self.rows(10, seed: 9_000)
        #expect(try Self.verdict("lost_bytes.max < +20KB vs history", rows, Self.five) == .unknown)
        let broken = Self.rows(10, seed: 9_000, broken: 9)
        #expect(try Self.verdict("violations <= +5 vs history", broken, Self.five) == .fails)
    }

    /// The first run of a job has no history: that is no pass, and no refusal either.
    @Test func withoutARunOfTheJobItIsUndecided() throws {
        let none = Self.history([])
        let rows = Self.rows(50, seed: 1)
        for gate in ["lost_bytes.mean < +5% vs history", "violations <= +0 vs history"] {
            #expect(try Self.verdict(gate, rows, none) == .unknown)
            var size = RunSize(policies: ["512KB"], iterations: 50)
            size.baseline = none
            try Gate.check([try Gate(gate)], size: size)
            #expect(none.shortages(of: [try Gate(gate)]).count == 1)
        }
        #expect(Self.five.shortages(of: [try Gate("violations <= +0 vs history")]).isEmpty)
        #expect(none.shortages(of: [try Gate("violations == 0")]).isEmpty)
    }

    @Test func withoutAHistoryItIsRefused() throws {
        for reference in [nil, makeBaseline(Self.rows(50, seed: 1))] {
            let error = #expect(throws: RigError.self) {
                try Gate.evaluate(
                    [try Gate("lost_bytes.mean < +5% vs history")], rows: Self.rows(50, seed: 1),
                    baseline: reference)
            }
            #expect(error?.message.hasSuffix("give --history FILE") ?? false)
        }
        let error = #expect(throws: RigError.self) {
            try Gate.evaluate(
                [try Gate("lost_bytes.mean < +5% vs baseline")], rows: Self.rows(50, seed: 1),
                baseline: Self.five)
        }
        #expect(error?.message.hasSuffix("give --baseline RUN") ?? false)
    }

    @Test func aGateThatNeedsMoreRowsIsRefusedBefore() throws {
        var size = RunSize(policies: ["512KB"], iterations: 10)
        size.baseline = Self.five
        let error = #expect(throws: RigError.self) {
            try Gate.check([try Gate("lost_bytes.p90 < +5% vs history")], size: size)
        }
        #expect(error?.message.contains("needs >= 36 iterations") ?? false)
    }
}
