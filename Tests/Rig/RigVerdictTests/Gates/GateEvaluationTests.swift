import RigModel
import RigVerdict
import Testing

@Suite struct GateEvaluationTests {
    private func results(
        _ gates: String..., rows: [IterationRow], policies: [String] = []
    ) throws -> [GateResult] {
        try Gate.evaluate(gates.map { try Gate($0) }, rows: rows, policies: policies)
    }

    /// 100 rows that lost 1 … 100 bytes of 1,000 each, in 1 … 100 ms.
    private static let ramp = (1...100).map { index in
        makeRow(iteration: index, lost: Int64(index)) { row in
            row.refetchedBytes = Int64(2 * index)
            row.recoverySeconds = Double(index) / 1_000
            row.resumeSeconds = Double(index) / 500
            row.phase = index > 50 ? .committing : .receiving
        }
    }

    @Test(arguments: [
        ("violations == 0", 0.0, GateVerdict.holds), ("violations > 0", 0, .fails),
        ("violation_rate <= 4%", 0, .holds), ("violation_rate <= 3%", 0, .unknown),
        ("violation_rate.ucb95 < 3%", 0.0295130, .holds),
        ("violation_rate.ucb95 > 3%", 0.0295130, .fails), ("corrupt_bytes == 0", 0, .holds),
        ("loss_percent <= 6", 5.05, .holds), ("loss_percent <= 5.05", 5.05, .unknown),
        ("loss_percent < 5.05", 5.05, .unknown), ("loss_percent <= 4", 5.05, .fails),
        ("loss_percent >= 4", 5.05, .holds), ("loss_percent > 5", 5.05, .unknown),
        ("loss_percent.max <= 10", 10, .holds), ("lost_bytes <= 100", 100, .holds),
        ("lost_bytes <= 99", 100, .fails), ("lost_bytes.min >= 1", 1, .holds),
        ("lost_bytes.mean == 50.5KB", 50.5, .fails), ("lost_bytes.mean == 50", 50.5, .unknown),
        ("lost_bytes.median < 51", 50.5, .unknown), ("lost_bytes.median <= 61", 50.5, .holds),
        ("lost_bytes.median < 61", 50.5, .unknown), ("lost_bytes.median < 40", 50.5, .fails),
        ("lost_bytes.p90 == 90", 90, .unknown), ("lost_bytes.p95 != 95", 95, .unknown),
        ("lost_bytes.p95 != 101", 95, .holds), ("lost_bytes.p90 >= 84", 90, .holds),
        ("lost_bytes.p99 <= 200", 99, .unknown), ("lost_bytes.p99 <= 96", 99, .fails),
        ("refetched_bytes.max <= 200", 200, .holds),
        ("recovery_seconds.p99 <= 99ms", 0.099, .unknown),
        ("recovery_seconds.p95 <= 100ms", 0.095, .holds), ("resume_seconds.max < 0.2", 0.2, .fails),
        ("inconclusive_percent == 0", 0, .holds), ("phases_hit >= 2", 2, .holds),
        ("phases_hit >= 3", 2, .fails),
    ])
    func measures(gate: String, value: Double, verdict: GateVerdict) throws {
        let result = try #require(try results(gate, rows: Self.ramp).first)
        let measured = try #require(result.value)
        #expect(abs(measured - value) < 1e-7)
        #expect(result.verdict == verdict && result.n == 100 && result.gate == gate)
    }

    @Test(arguments: [
        ("loss_percent <= 5", true), ("lost_bytes.mean <= 5", true),
        ("lost_bytes.median <= 5", true), ("recovery_seconds.p99 <= 5", true),
        ("violation_rate <= 1%", true), ("violation_rate.ucb95 <= 1%", true),
        ("inconclusive_percent.ucb95 <= 5", true), ("inconclusive_percent <= 5", false),
        ("lost_bytes.max <= 5", false), ("violations == 0", false), ("corrupt_bytes == 0", false),
    ])
    func estimatesHaveAnIntervalAndTotalsHaveNone(gate: String, hasOne: Bool) throws {
        let result = try #require(try results(gate, rows: Self.ramp).first)
        #expect((result.interval != nil) == hasOne)
        if let interval = result.interval, let value = result.value {
            #expect(interval.contains(value))
        }
    }

    @Test func aPolicysGateLooksAtItsRowsOnly() throws {
        let rows = makeRows(4, "512KB") + makeRows(6, "1MB") { $0.lostBytes = 700 }
        let both = try results("1MB:lost_bytes <= 700", "512KB:lost_bytes <= 100", rows: rows)
        #expect(both.map(\.policy) == ["1MB", "512KB"])
        #expect(both.map(\.n) == [6, 4])
        #expect(both.allSatisfy { $0.verdict == .holds })
    }

    @Test func whatAGateWithoutAPolicyIsAbout() throws {
        let rows = makeRows(3, "256KB") + makeRows(3, "512KB") + makeRows(3, "disabled")
        func scopes(_ gate: String) throws -> [String?] {
            try results(gate, rows: rows).map(\.policy)
        }
        for gate in ["violations == 0", "corrupt_bytes == 0", "violation_rate < 50%"] {
            #expect(try scopes(gate) == [nil])
        }
        #expect(try scopes("inconclusive_percent < 50") == ["256KB", "512KB", "disabled"])
        #expect(try scopes("loss_percent <= 50") == ["256KB", "512KB"])
        #expect(try scopes("lost_bytes <= 512KB") == ["256KB", "512KB"])
        #expect(try scopes("phases_hit >= 1") == ["256KB", "512KB", "disabled"])
        #expect(try results("violations == 0", rows: rows).map(\.n) == [9])
        let alone = try results("loss_percent <= 50", rows: makeRows(3, "disabled"))
        #expect(alone.map(\.policy) == ["disabled"])
    }

    @Test func failedRowsAreViolations() throws {
        let rows = makeRows(9) + [makeRow(iteration: 10, verdict: .fail)]
        let both = try results("violations == 0", "violation_rate <= 10%", rows: rows)
        #expect(both.map(\.value) == [1, 0.1])
        #expect(both.map(\.verdict) == [.fails, .unknown])
    }

    @Test func corruptBytesAddUpOverPolicies() throws {
        let rows =
            makeRows(1, "1MB") { $0.corruptBytes = 3 }
            + makeRows(1, "disabled") { $0.corruptBytes = 4 }
        let result = try #require(try results("corrupt_bytes == 0", rows: rows).first)
        #expect(result.value == 7 && result.verdict == .fails)
    }

    @Test func inconclusiveRowsAreLeftOut() throws {
        let rows =
            makeRows(3)
            + [makeRow(iteration: 4, verdict: .inconclusive, reason: "early", lost: 900)]
        let all = try results(
            "lost_bytes <= 100", "violations == 0", "inconclusive_percent <= 20", rows: rows)
        #expect(all.map(\.n) == [3, 3, 4])
        #expect(all.map(\.value) == [100, 0, 25])
        // Too many of them make the run inconclusive, but break no promise.
        #expect(all.map(\.verdict) == [.holds, .holds, .unknown])
    }

    /// A policy without a conclusive kill used to be hidden by ten that had only conclusive ones.
    @Test func rowsThatProveNothingAreCountedPolicyByPolicy() throws {
        let sizes = (1...10).map { "\($0)MB" }
        let rows =
            sizes.flatMap { makeRows(10, $0) }
            + (1...10).map {
                makeRow("512KB", iteration: $0, verdict: .inconclusive, reason: "early")
            }
        let all = try Gate.evaluate(Gate.defaults, rows: rows)
        #expect(all.filter { $0.verdict == .unknown }.map(\.policy) == ["512KB"])
        #expect(all.count == 2 + 11)
    }

    @Test(arguments: [
        "violations == 0", "violation_rate <= 1%", "violation_rate.ucb95 < 1%",
        "corrupt_bytes == 0", "loss_percent <= 100", "lost_bytes >= 0", "phases_hit >= 0",
        "recovery_seconds.max >= 0",
    ])
    func withoutAConclusiveRowAGateIsUnknown(gate: String) throws {
        let rows = [makeRow(verdict: .inconclusive, reason: "early")]
        for result in try results(gate, rows: rows) + results(gate, rows: [], policies: ["1MB"]) {
            #expect(result.verdict == .unknown && result.value == nil && result.n == 0)
        }
    }

    @Test func aRunTooShortForABoundIsUnknownAndNotFailed() throws {
        let gate = "violation_rate.ucb95 < 1%"
        #expect(try results(gate, rows: makeRows(298)).map(\.verdict) == [.unknown])
        #expect(try results(gate, rows: makeRows(299)).map(\.verdict) == [.holds])
    }

    /// Failures in a number of rows, and what they say about rates below 5 %: three in a hundred
    /// may come from a rate of 1 % or of 8 %, and twelve may not.
    @Test(arguments: [
        (0, 100, GateVerdict.holds, GateVerdict.holds), (1, 100, .holds, .unknown),
        (3, 100, .unknown, .unknown), (9, 100, .unknown, .unknown), (10, 100, .fails, .unknown),
        (11, 100, .fails, .fails), (2, 2, .fails, .fails),
        (30, 1_000, .holds, .holds), (40, 1_000, .unknown, .unknown),
        (60, 1_000, .unknown, .unknown),
        (64, 1_000, .fails, .unknown), (70, 1_000, .fails, .fails),
    ])
    func aRateIsDecidedWhereItsWholeIntervalIs(
        failures: Int, count: Int, bound: GateVerdict, rate: GateVerdict
    ) throws {
        let rows = (1...count).map {
            makeRow(iteration: $0, verdict: $0 <= failures ? .fail : .pass)
        }
        let both = try results("violation_rate.ucb95 < 5%", "violation_rate < 5%", rows: rows)
        #expect(both.map(\.verdict) == [bound, rate])
        for result in both { #expect(result.straddles == (result.verdict == .unknown)) }
    }

    /// A single row has no spread; its mean used to count as certain.
    @Test func oneRowDecidesNoMean() throws {
        let row = makeRow(lost: 10)
        let all = try results("loss_percent <= 5", "lost_bytes.mean <= 1MB", rows: [row])
        #expect(all.map(\.verdict) == [.unknown, .unknown])
        #expect(try results("lost_bytes.max <= 10", rows: [row]).map(\.verdict) == [.holds])
    }

    @Test(arguments: [
        ("1MB:violations == 0", "the run has no policy 1MB"),
        ("recovery_seconds.max < 1", "is unknown in every conclusive row of 512KB"),
        ("loss_percent <= 5", "loss_percent is unknown in every conclusive row of 512KB"),
    ])
    func whatCannotBeMeasuredIsRefusedAndNeverPasses(gate: String, why: String) {
        let rows = makeRows(3) { $0.receivedBytes = nil }
        let error = #expect(throws: RigError.self) { try results(gate, rows: rows) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(why) ?? false, "\(error?.message ?? "")")
    }

    /// The user did not give this gate, so it is no usage error, but no pass either.
    @Test func aGateOnWrongBytesIsUndecidedWhereNothingWasCompleted() throws {
        let rows = makeRows(3) { $0.corruptBytes = nil }
        #expect(try results("corrupt_bytes == 0", rows: rows).map(\.verdict) == [.unknown])
        #expect(try results("corrupt_bytes <= 5", rows: rows).map(\.verdict) == [.unknown])
    }

    @Test(arguments: Comparison.allCases)
    func notANumberSatisfiesNothing(comparison: Comparison) {
        #expect(!comparison.holds(.nan, 0))
        #expect(!comparison.holds(0, .nan))
    }

    @Test func theSameRowsGiveTheSameIntervals() throws {
        let once = try results("loss_percent <= 5", rows: Self.ramp)
        #expect(once == (try results("loss_percent <= 5", rows: Self.ramp)))
    }
}
