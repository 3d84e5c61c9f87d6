import RigModel
import RigVerdict
import Testing

/// Gates that compare with a baseline: which are valid, and how they are decided.
@Suite struct BaselineGateTests {
    // MARK: the grammar

    @Test(arguments: [
        ("lost_bytes.median < +5% vs baseline", LimitKind.percent, 5.0),
        ("512KB:refetched_bytes.mean <= -10% vs baseline", .percent, -10),
        ("lost_bytes.median<+5%  vs  baseline", .percent, 5),
        ("lost_bytes.median < + 5% VS Baseline", .percent, 5),
        ("loss_percent < +0.5 vs baseline", .difference, 0.5),
        ("loss_percent < +5% vs baseline", .percent, 5),
        ("lost_bytes.max <= +64KB vs baseline", .difference, 65_536),
        ("recovery_seconds.p95 < +0.1s vs baseline", .difference, 0.1),
        ("recovery_seconds.p95 < +250ms vs baseline", .difference, 0.25),
        ("violations <= +2 vs baseline", .difference, 2),
        ("violations == +0 vs baseline", .difference, 0),
        ("violation_rate < +0.01 vs baseline", .difference, 0.01),
        ("lost_bytes <= 64KB", .absolute, 65_536),
    ])
    func reads(text: String, kind: LimitKind, limit: Double) throws {
        let gate = try Gate(text)
        #expect(gate.kind == kind && gate.limit == limit)
        #expect(gate.needsBaseline == (kind != .absolute) && gate.text == text)
    }

    @Test(arguments: [
        ("lost_bytes.median < 5% vs baseline", "'5%' has no sign"),
        ("lost_bytes.median < vs baseline", "no change before 'vs baseline'"),
        ("lost_bytes.median < +5% vs base", "no change before 'vs baseline'"),
        ("lost_bytes.median < +5% baseline", "no change before 'vs baseline'"),
        ("lost_bytes.median < +5% vs baseline vs baseline", "no change before 'vs baseline'"),
        ("lost_bytes.median < +nan% vs baseline", "'+nan%' is no change"),
        ("lost_bytes.median < ++5% vs baseline", "is no change"),
        ("lost_bytes.median < +-5KB vs baseline", "give a size"),
        ("lost_bytes.median < +many vs baseline", "give a size"),
        ("violations <= +0.5 vs baseline", "give a whole number"),
        ("violation_rate.ucb95 < +0.01 vs baseline", "bounds of two runs show no change"),
        ("violation_rate < +5% vs baseline", "violation_rate < +0.01 vs baseline"),
        ("lost_bytes.mean == +0% vs baseline", "compare it with <, <=, > or >="),
        ("refetched_bytes < +5% vs baseline", "say which statistic"),
    ])
    func refuses(text: String, why: String) {
        let error = #expect(throws: RigError.self) { try Gate(text) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(why) ?? false, "\(error?.message ?? "")")
    }

    // MARK: what can hold

    /// This many rows of one plan; `change` gets the row and its index.
    private static func rows(
        _ count: Int = 100, seed: UInt64 = 0, policy: String = "512KB",
        change: (inout IterationRow, Int) -> Void = { _, _ in }
    ) -> [IterationRow] {
        (1...count).map { index in
            makeRow(
                policy, iteration: index, lost: Int64(1_000 + index * 7_919 % 100_000),
                received: 1_000_000
            ) { row in
                row.seed = seed &+ UInt64(index)
                row.refetchedBytes = Int64(500_000 + index * 104_729 % 100_000)
                row.recoverySeconds = 0.02 + Double(index * 13 % 17) / 1_000
                change(&row, index)
            }
        }
    }

    private static func objection(
        _ gate: String, _ baseline: GateBaseline?, iterations: Int = 100
    ) -> String? {
        var size = RunSize(policies: ["512KB"], iterations: iterations)
        size.baseline = baseline
        return refusal(.usage) { try Gate.check([Gate(gate)], size: size) }
    }

    @Test func withoutABaselineItIsRefused() {
        let message = Self.objection("lost_bytes.median < +5% vs baseline", nil)
        #expect(message?.hasSuffix("give --baseline RUN") ?? false)
        #expect(Self.objection("lost_bytes.median < 5KB", nil) == nil)
    }

    @Test(arguments: [
        ("1MB", "lost_bytes.median < +5% vs baseline", "has no policy 512KB"),
        ("1MB", "violations <= +1 vs baseline", "has no policy 512KB"),
        ("512KB", "resume_seconds.p90 < +5% vs baseline", "resume_seconds is unknown"),
        ("512KB", "corrupt_bytes < +5% vs baseline", "nothing is a percentage of that"),
        ("512KB", "violations <= +5% vs baseline", "give a difference, such as +1 vs baseline"),
        ("512KB", "lost_bytes.mean < -101% vs baseline", "can never hold"),
        ("512KB", "lost_bytes.mean < -1GB vs baseline", "can never hold"),
        ("512KB", "loss_percent > +100 vs baseline", "can never hold"),
        ("512KB", "lost_bytes.p99 > +5% vs baseline", "are too few to bound a change"),
        ("512KB", "violation_rate < +0 vs baseline", "can never hold"),
        ("512KB", "violation_rate < +0.001 vs baseline", "needs >= "),
    ])
    func whatTheBaselineCannotBeComparedByIsRefused(policy: String, gate: String, why: String) {
        let message = Self.objection(
            gate, makeBaseline(Self.rows(50, policy: policy)), iterations: 1_000)
        #expect(message?.contains(why) ?? false, "\(message ?? "")")
        #expect(message?.hasPrefix("gate '\(gate)'") ?? false)
    }

    @Test(arguments: [
        ("lost_bytes.median < +5% vs baseline", 6), ("lost_bytes.mean < +5% vs baseline", 2),
        ("lost_bytes.max <= +5% vs baseline", 1), ("lost_bytes.p90 < +5% vs baseline", 36),
        ("lost_bytes.p90 > -5% vs baseline", 2),
    ])
    func needsAsManyRowsAsBoundAChange(gate: String, rows: Int) {
        let baseline = makeBaseline(Self.rows(400))
        #expect(Self.objection(gate, baseline, iterations: rows) == nil)
        guard rows > 1 else { return }
        let message = Self.objection(gate, baseline, iterations: rows - 1)
        #expect(message?.contains("needs >= \(rows) iterations") ?? false, "\(message ?? "")")
    }

    // MARK: decisions

    private static func result(
        _ gate: String, _ rows: [IterationRow], _ base: [IterationRow]
    ) throws -> GateResult {
        try #require(
            try Gate.evaluate([try Gate(gate)], rows: rows, baseline: makeBaseline(base)).first)
    }

    /// Rows that refetched about a tenth more, and took a tenth longer, than the baseline's.
    private static let tenthMore = rows { row, index in
        row.refetchedBytes = row.refetchedBytes.map { $0 * Int64(108 + index % 5) / 100 }
        row.recoverySeconds = row.recoverySeconds.map { $0 * 1.1 }
    }

    @Test(arguments: [
        ("refetched_bytes.mean < +5% vs baseline", GateVerdict.fails),
        ("refetched_bytes.mean < +10% vs baseline", .unknown),
        ("refetched_bytes.mean < +11% vs baseline", .holds),
        ("refetched_bytes.mean > +9% vs baseline", .holds),
        ("refetched_bytes.mean <= -1% vs baseline", .fails),
        ("refetched_bytes.median < +30KB vs baseline", .fails),
        ("refetched_bytes.median < +80KB vs baseline", .holds),
        ("refetched_bytes.max < +5% vs baseline", .fails),
        ("refetched_bytes.max < +13% vs baseline", .holds),
        ("refetched_bytes.min >= +35000 vs baseline", .holds),
        ("recovery_seconds.mean < +1ms vs baseline", .fails),
        ("recovery_seconds.mean < +1s vs baseline", .holds),
        ("lost_bytes.mean <= +0% vs baseline", .holds),
        ("lost_bytes.mean < +0% vs baseline", .fails),
        ("loss_percent <= +0 vs baseline", .holds), ("loss_percent < +1% vs baseline", .holds),
        ("violations <= +0 vs baseline", .holds), ("violations < +0 vs baseline", .fails),
        ("violation_rate < +0.01 vs baseline", .unknown),
        ("violation_rate < +0.05 vs baseline", .holds),
        ("corrupt_bytes <= +0 vs baseline", .holds),
        ("inconclusive_percent <= +1 vs baseline", .holds),
        ("phases_hit >= +0 vs baseline", .holds), ("phases_hit > +0 vs baseline", .fails),
    ])
    func decides(gate: String, verdict: GateVerdict) throws {
        let result = try Self.result(gate, Self.tenthMore, Self.rows())
        #expect(result.verdict == verdict, "\(result.figures)")
        #expect(result.n == 100 && result.gate == gate)
    }

    /// A worker that broke its promise in each of 6 kills held `violations <= +0 vs baseline`, of
    /// 15 in 20.
    ///
    /// Counts and extremes grow with the rows: with fewer rows than the baseline they can fail but
    /// not hold, with more hold but not fail.
    @Test(arguments: [
        ("violations <= +0 vs baseline", 6, GateVerdict.unknown),
        ("violations <= -20 vs baseline", 6, .fails),
        ("violations <= +0 vs baseline", 20, .fails),
        ("violations <= +0 vs baseline", 12, .unknown),
        ("violations <= +10 vs baseline", 40, .holds),
        ("violations <= +0 vs baseline", 40, .unknown),
        ("violations >= +0 vs baseline", 40, .unknown),
        ("corrupt_bytes <= +0 vs baseline", 6, .unknown),
        ("lost_bytes.max <= +0 vs baseline", 6, .unknown),
        ("lost_bytes.min >= +0 vs baseline", 6, .unknown),
        ("lost_bytes.min >= +0 vs baseline", 40, .holds),
        ("inconclusive_percent <= +0 vs baseline", 6, .holds),
    ])
    func countsOfUnlikeNumbersOfRows(gate: String, rows: Int, verdict: GateVerdict) throws {
        func broken(_ count: Int, of all: Int) -> [IterationRow] {
            (1...all).map { index in
                makeRow(iteration: index, verdict: index <= count ? .fail : .pass)
            }
        }
        let result = try Self.result(gate, broken(min(rows, 20), of: rows), broken(15, of: 20))
        #expect(result.verdict == verdict, "\(result.figures)")
    }

    @Test func theValueIsTheChangeInTheLimitsUnit() throws {
        let relative = try Self.result(
            "refetched_bytes.mean < +5% vs baseline", Self.tenthMore, Self.rows())
        #expect(relative.unit == .percent && relative.limit == 5)
        #expect(abs(try #require(relative.value) - 10) < 0.5)
        #expect(relative.figures.contains(" %, limit 5.000 %, n 100, 95 % interval "))
        let absolute = try Self.result(
            "refetched_bytes.mean < -64KB vs baseline", Self.rows(), Self.tenthMore)
        #expect(absolute.unit == .bytes)
        #expect(absolute.figures.contains("limit -65536 (64.0 KB)"))
        #expect(try #require(absolute.value) < 0)
    }

    /// Pairs of one plan show a small change that the spread of other plans hides.
    @Test func pairsDecideWhatOtherSeedsDoNot() throws {
        let gate = "refetched_bytes.mean > +1% vs baseline"
        let slight = Self.rows { row, _ in
            row.refetchedBytes = row.refetchedBytes.map { $0 * 102 / 100 }
        }
        #expect(try Self.result(gate, slight, Self.rows()).verdict == .holds)
        #expect(try Self.result(gate, slight, Self.rows(seed: 5_000)).verdict == .unknown)
    }

    /// A pair counts only if both rows are conclusive and know the figure.
    @Test func rowsWithoutAPartnerTakeNoPart() throws {
        let base = Self.rows { row, index in if index <= 10 { row.verdict = .inconclusive } }
        let other = Self.rows { row, index in
            if index == 11 { row.refetchedBytes = nil }
            if index == 12 { row.verdict = .inconclusive }
        }
        let result = try Self.result("refetched_bytes.mean <= +1% vs baseline", other, base)
        #expect(result.n == 88 && result.verdict == .holds)
    }

    @Test func withoutConclusiveRowsNothingIsKnown() throws {
        let none = Self.rows(20) { row, _ in row.verdict = .inconclusive }
        let result = try Self.result("lost_bytes.mean <= +5% vs baseline", none, Self.rows())
        #expect(result.value == nil && result.verdict == .unknown)
    }

    @Test func aBaselineThatIsMissingIsNoPass() throws {
        let gate = try Gate("lost_bytes.mean <= +5% vs baseline")
        #expect(throws: RigError.self) { try Gate.evaluate([gate], rows: Self.rows()) }
        #expect(throws: RigError.self) {
            try Gate.evaluate(
                [gate], rows: Self.rows(), baseline: makeBaseline(Self.rows(policy: "1MB")))
        }
    }

    @Test func theWholeRunIsComparedByItsOwnPolicies() throws {
        let broken = Self.rows(policy: "1MB") { row, _ in
            row.verdict = .fail
            row.checkers = [.bound]
            row.reason = "bound: too much"
        }
        let base = Self.rows() + broken
        let gate = "violations <= +0 vs baseline"
        #expect(try Self.result(gate, Self.rows(), base).value == 0)
        #expect(try Self.result(gate, Self.rows(), base).policy == nil)
        #expect(try Self.result(gate, Self.rows() + broken, base).value == 0)
    }

    @Test func anotherKindOfBaselineIsSaid() {
        let baseline = makeBaseline(Self.rows { row, _ in row.worker = "curl" })
        let judged = ComparableRun(name: "new", rows: Self.rows(), facts: nil)
        #expect(
            baseline.differences(to: judged) == ["the baseline differs: worker curl / downloader"])
    }
}
