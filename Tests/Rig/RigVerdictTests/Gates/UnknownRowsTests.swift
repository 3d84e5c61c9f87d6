import RigModel
import RigVerdict
import Testing

/// Of ten rows one does not know a figure, so no gate about it can hold; a run of nine without
/// wrong bytes and one of which nothing was known passed `corrupt_bytes == 0`.
@Suite struct UnknownRowsTests {
    /// The figure that the fourth of ten rows lacks.
    enum Lacking: String, CaseIterable, Sendable {
        case nothing, corrupt, lost, received, refetched, recovery, resume, judgement, phase
    }

    private static func rows(
        _ lacking: Lacking, _ policy: String = "512KB",
        change: (inout IterationRow) -> Void = { _ in }
    ) -> [IterationRow] {
        makeRows(10, policy) { row in
            row.refetchedBytes = 5_000
            row.recoverySeconds = 0.01
            row.resumeSeconds = 0.02
            row.phase = row.iteration == 4 ? .committing : .receiving
            change(&row)
            guard row.iteration == 4 else { return }
            switch lacking {
            case .nothing: break
            case .corrupt: row.corruptBytes = nil
            case .lost: (row.lostBytes, row.lossPercent) = (nil, nil)
            case .received: (row.receivedBytes, row.lossPercent) = (nil, nil)
            case .refetched: row.refetchedBytes = nil
            case .recovery: row.recoverySeconds = nil
            case .resume: row.resumeSeconds = nil
            case .judgement:
                row.notJudged = [.bound]
                row.reason = "not judged: bound (lost is not known)"
            case .phase: row.phase = nil
            }
        }
    }

    private func result(
        _ gate: String, _ rows: [IterationRow], against base: [IterationRow]? = nil
    ) throws -> GateResult {
        let baseline = base.map { makeBaseline($0) }
        return try #require(
            try Gate.evaluate([try Gate(gate)], rows: rows, baseline: baseline).first)
    }

    @Test(arguments: [
        (Lacking.corrupt, "corrupt_bytes == 0"), (.corrupt, "corrupt_bytes <= 7"),
        (.corrupt, "corrupt_bytes.max <= 0"), (.corrupt, "corrupt_bytes.min >= 0"),
        (.corrupt, "corrupt_bytes.mean <= 1"), (.corrupt, "corrupt_bytes.median <= 1"),
        (.lost, "lost_bytes <= 100"), (.lost, "lost_bytes.max <= 100"),
        (.lost, "lost_bytes.max == 100"), (.lost, "lost_bytes.max != 5"),
        (.lost, "lost_bytes.min >= 100"), (.lost, "lost_bytes.mean <= 200"),
        (.lost, "lost_bytes.median <= 200"), (.lost, "loss_percent <= 20"),
        (.lost, "loss_percent.max <= 10"), (.lost, "loss_percent.mean <= 20"),
        (.lost, "512KB:lost_bytes <= 100"), (.received, "loss_percent <= 20"),
        (.received, "loss_percent.max <= 10"), (.received, "loss_percent.median <= 20"),
        (.judgement, "violations == 0"), (.judgement, "violation_rate < 50%"),
        (.judgement, "violation_rate.ucb95 < 50%"),
    ])
    func aGateThatTheOthersHoldIsUnknown(lacking: Lacking, gate: String) throws {
        let whole = try self.result(gate, Self.rows(.nothing))
        #expect(whole.verdict == .holds && whole.n == 10 && whole.unknownRows == 0)
        let result = try self.result(gate, Self.rows(lacking))
        #expect(result.verdict == .unknown, "\(result.figures)")
        #expect(result.n == 9 && result.unknownRows == 1)
        #expect(result.value == whole.value || gate.contains("ucb95"))
        #expect(result.figures.hasSuffix("not known of 1 more"))
    }

    /// What is known breaks the promise, whatever the other row may be.
    @Test(arguments: [
        (Lacking.lost, "lost_bytes <= 99"), (.lost, "lost_bytes.max <= 99"),
        (.lost, "lost_bytes.median <= 50"), (.lost, "loss_percent <= 5"),
        (.lost, "lost_bytes.min >= 101"), (.received, "loss_percent.max <= 9"),
    ])
    func aGateThatTheOthersFailFails(lacking: Lacking, gate: String) throws {
        let result = try self.result(gate, Self.rows(lacking))
        #expect(result.verdict == .fails)
        #expect(result.n == 9 && result.unknownRows == 1)
    }

    @Test func wrongBytesOfOneRowCountBesideAnUnknownOne() throws {
        let rows = Self.rows(.corrupt) { if $0.iteration == 9 { $0.corruptBytes = 3 } }
        let result = try self.result("corrupt_bytes == 0", rows)
        #expect(result.verdict == .fails && result.value == 3)
    }

    /// A row that was left out is no row that is unknown, and one of another figure neither.
    @Test(arguments: [
        (Lacking.lost, "corrupt_bytes == 0", 10), (.corrupt, "lost_bytes <= 100", 10),
        (.corrupt, "violations == 0", 10), (.received, "lost_bytes.max <= 100", 10),
        (.lost, "violations == 0", 10), (.lost, "refetched_bytes.max <= 5000", 10),
        (.refetched, "refetched_bytes.max <= 5000", 9),
        (.recovery, "recovery_seconds.max <= 10ms", 9),
        (.resume, "resume_seconds.median <= 1s", 9), (.phase, "phases_hit >= 1", 9),
        (.recovery, "lost_bytes <= 100", 10), (.judgement, "lost_bytes <= 100", 10),
    ])
    func whatTheGateIsNotAboutMayBeUnknown(lacking: Lacking, gate: String, n: Int) throws {
        let result = try self.result(gate, Self.rows(lacking))
        #expect(result.verdict == .holds)
        #expect(result.n == n && result.unknownRows == 0)
    }

    @Test(arguments: Lacking.allCases)
    func anInconclusiveRowMayLackAnything(lacking: Lacking) throws {
        let rows = Self.rows(lacking) { row in
            guard row.iteration == 4 else { return }
            row.verdict = .inconclusive
            row.reason = "too early"
        }
        for gate in ["corrupt_bytes == 0", "lost_bytes <= 100", "violations == 0"] {
            let result = try self.result(gate, rows)
            #expect(result.verdict == .holds)
            #expect(result.n == 9 && result.unknownRows == 0)
        }
    }

    /// The unknown row of one policy takes nothing from the gates of the other.
    @Test func onlyThePolicyOfTheRowIsUnknown() throws {
        let rows = Self.rows(.lost) + Self.rows(.nothing, "1MB")
        let both = try Gate.evaluate([try Gate("lost_bytes <= 100")], rows: rows)
        #expect(both.map(\.policy) == ["512KB", "1MB"])
        #expect(both.map(\.verdict) == [.unknown, .holds])
        #expect(both.map(\.unknownRows) == [1, 0])
        let corrupt = Self.rows(.corrupt) + Self.rows(.nothing, "1MB")
        let all = try self.result("corrupt_bytes == 0", corrupt)
        #expect(all.verdict == .unknown && all.n == 19 && all.unknownRows == 1)
    }

    // MARK: against a baseline

    @Test(arguments: [
        // What the run does not know is no pass, and what the baseline does not know is no pair.
        (
            "lost_bytes.mean <= +5% vs baseline", Lacking.lost, Lacking.nothing,
            GateVerdict.unknown, 9
        ),
        ("lost_bytes.mean <= +5% vs baseline", .nothing, .lost, .holds, 9),
        ("lost_bytes.median <= +5% vs baseline", .lost, .lost, .unknown, 9),
        ("lost_bytes.mean > +5% vs baseline", .lost, .nothing, .fails, 9),
        ("loss_percent <= +5% vs baseline", .received, .nothing, .unknown, 9),
        ("loss_percent <= +5% vs baseline", .nothing, .received, .holds, 9),
        ("refetched_bytes.mean <= +5% vs baseline", .refetched, .nothing, .holds, 9),
        ("refetched_bytes.median <= +5% vs baseline", .nothing, .refetched, .holds, 9),
        ("recovery_seconds.mean <= +5% vs baseline", .recovery, .resume, .holds, 9),
        ("recovery_seconds.mean <= +5% vs baseline", .resume, .lost, .holds, 10),
        // With fewer known rows than the baseline a maximum may be too small.
        ("lost_bytes.max <= +0 vs baseline", .lost, .nothing, .unknown, 9),
        ("lost_bytes.max <= +0 vs baseline", .nothing, .lost, .holds, 10),
        ("lost_bytes.max >= +0 vs baseline", .nothing, .lost, .unknown, 10),
        ("lost_bytes.max >= +0 vs baseline", .nothing, .nothing, .holds, 10),
        ("lost_bytes.min >= +0 vs baseline", .nothing, .lost, .holds, 10),
        ("lost_bytes.min <= +0 vs baseline", .nothing, .lost, .unknown, 10),
        ("corrupt_bytes <= +0 vs baseline", .corrupt, .nothing, .unknown, 9),
        ("corrupt_bytes <= +0 vs baseline", .nothing, .corrupt, .holds, 10),
        ("corrupt_bytes <= +0 vs baseline", .corrupt, .corrupt, .unknown, 9),
        ("violations <= +0 vs baseline", .judgement, .nothing, .unknown, 9),
        ("violations <= +0 vs baseline", .nothing, .nothing, .holds, 10),
    ])
    func aChange(
        gate: String, lacking: Lacking, base: Lacking, verdict: GateVerdict, n: Int
    ) throws {
        let result = try self.result(gate, Self.rows(lacking), against: Self.rows(base))
        #expect(result.verdict == verdict, "\(result.figures)")
        #expect(result.n == n && result.value == 0)
    }

    /// A pair counts only if both rows know the figure; the other row of such a pair is no row.
    @Test func theRowBesideAnUnknownOneTakesNoPart() throws {
        let far = Self.rows(.nothing) { row in
            guard row.iteration == 4 else { return }
            row.lostBytes = 900
            row.lossPercent = 90
        }
        for gate in ["lost_bytes.mean <= +0% vs baseline", "loss_percent <= +0 vs baseline"] {
            let result = try self.result(gate, far, against: Self.rows(.lost))
            #expect(result.verdict == .holds && result.value == 0 && result.n == 9, "\(gate)")
            #expect(try self.result(gate, far, against: Self.rows(.nothing)).verdict != .holds)
        }
    }
}
