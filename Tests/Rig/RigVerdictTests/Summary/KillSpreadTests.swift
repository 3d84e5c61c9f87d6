import RigModel
import RigVerdict
import Testing

/// Whether a run's kills landed where they were planned.
@Suite struct KillSpreadTests {
    /// Rows of a trigger, planned evenly and landed as given.
    private static func rows(
        _ count: Int, _ trigger: (Double) -> Trigger, landed: (Double) -> Double?
    ) -> [IterationRow] {
        (1...count).map { number in
            let share = Double(number) / Double(count + 1)
            let plan = PlannedIteration(
                iteration: number, policy: Policy(threshold: ByteSize(bytes: 512 << 10)),
                trigger: trigger(share), delaySeconds: 0, seed: 1)
            var row = IterationRow(
                runID: "r", plan: plan, kill: 1, worker: "w", workload: "download",
                fault: .sigkill, verdict: .pass, reason: "")
            row.realised = landed(share)
            return row
        }
    }

    @Test func lateByALittleIsAsPlanned() {
        let spread = KillSpread(Self.rows(50, { .time($0) }, landed: { $0 + 0.05 }))
        #expect(spread.complaint == nil)
        #expect(spread.fits.map(\.kills) == [50])
        #expect(spread.text?.hasPrefix("time ") == true)
    }

    /// On a busy machine the shortest unharmed run was the reference: 18 of 20 kills landed at the
    /// first bytes, and all passed.
    @Test func killsAtTheBeginningAreNotWhatWasPlanned() throws {
        let spread = KillSpread(Self.rows(20, { .time($0) }, landed: { $0 > 0.9 ? $0 : 0.001 }))
        let complaint = try #require(spread.complaint)
        #expect(complaint.hasPrefix("the 20 kills by time did not land where they were planned"))
    }

    /// With ten kills, a distance of nine tenths has a probability of 0.0002, and of eight 0.002.
    @Test(arguments: [(8, true), (9, false)])
    func leastSpread(apart: Int, isAsPlanned: Bool) throws {
        let rows = Self.rows(10, { .time($0) }, landed: { $0 * 11 <= Double(apart) ? 2 : $0 })
        let fit = try #require(KillSpread(rows).fits.first)
        #expect(fit.distance == Double(apart) / 10)
        #expect(fit.isAsPlanned == isAsPlanned)
    }

    @Test func bytesAreComparedApart() {
        let rows =
            Self.rows(40, { .time($0) }, landed: { $0 })
            + Self.rows(40, { .bytes(Int64($0 * 1e6)) }, landed: { $0 * 1e6 })
            + Self.rows(40, { .flowing(Int64($0 * 1e6)) }, landed: { _ in 1e6 })
        let spread = KillSpread(rows)
        #expect(spread.fits.map(\.trigger) == [.bytes, .time])
        #expect(spread.fits.map(\.kills) == [80, 40])
        #expect(spread.complaint?.contains("80 kills by bytes") == true)
    }

    /// Later kills, planned in recoveries.
    private static func recoveries(
        _ count: Int, phase: Phase? = .recovering, verdict: Verdict = .pass,
        landed: (Double) -> Double?
    ) -> [IterationRow] {
        rows(count, { .time($0) }, landed: landed).enumerated().map { index, row in
            var row = row
            row.kill = 2
            row.trigger = TriggerKind.phase.rawValue
            row.planned = Trigger.recovery(Double(index + 1) / Double(count + 1)).planned
            row.phase = phase
            row.verdict = verdict
            return row
        }
    }

    /// On a busy machine a recovery took five times as long as its kills were timed for: 17 of 17
    /// came before the worker had touched anything, and one that drops bytes then held B6.
    @Test(arguments: [Phase.recovering, nil])
    func laterKillsAtTheBeginningOfRecoveriesAreNotWhatWasPlanned(phase: Phase?) throws {
        let late = KillSpread(Self.recoveries(17, phase: phase) { $0 / 5 })
        let complaint = try #require(late.complaint)
        #expect(complaint.hasPrefix("the 17 later kills in recoveries did not land where"))
        #expect(late.text?.hasPrefix("phase 0.000") == true)
        #expect(KillSpread(Self.recoveries(17, phase: phase) { $0 * 0.8 }).complaint == nil)
        #expect(KillSpread(Self.recoveries(17, phase: phase) { _ in nil }).text == nil)
    }

    /// A quarter of ten thousand kills is far beyond chance, and the least that counts.
    @Test(arguments: [(2_400, true), (2_600, false)])
    func recoverySpread(late: Int, isAsPlanned: Bool) throws {
        let rows = Self.recoveries(10_000) { $0 * 10_001 <= Double(late) ? 2 : $0 }
        let fit = try #require(KillSpread(rows).fits.first)
        #expect(fit.pValue < Tolerances.leastSpreadProbability)
        #expect(fit.isAsPlanned == isAsPlanned)
    }

    /// Less than half of the planned kills came in a recovery; of fewer than four, chance decides,
    /// and runs of six chains ended undecided.
    @Test(arguments: [
        (5, 5, true), (4, 5, false), (1, 3, false), (0, 4, false), (0, 3, true), (0, 0, true),
    ])
    func recoveriesThatWereMissed(struck: Int, missed: Int, isEnough: Bool) {
        let none = Array(Self.recoveries(10, phase: .receiving) { _ in nil }.prefix(missed))
        let rows = Array(Self.recoveries(10) { $0 }.prefix(struck)) + none
        #expect((KillSpread.missedRecoveries(rows) == nil) == isEnough)
        let undone = Self.recoveries(10, verdict: .inconclusive) { $0 }
        #expect(KillSpread.missedRecoveries(undone)?.hasPrefix("0 of the 10 later kills") == true)
    }

    @Test func whatHasNoSpreadIsNotCompared() {
        #expect(KillSpread(Self.rows(20, { _ in .time(0.5) }, landed: { _ in 0.9 })).text == nil)
        #expect(KillSpread(Self.rows(20, { .time($0) }, landed: { _ in nil })).text == nil)
        #expect(KillSpread(Self.rows(20, { _ in .never }, landed: { $0 })).text == nil)
    }
}
