import RigVerdict
import Testing

@testable import RigModel

/// Of 64 kills six came too late to count, and B3 and B4 were undecided: more kills are made then.
@Suite struct MissingKillsTests {
    private static let kept = Promise.Limit(
        measure: .recovered, policy: "512KB", at: 10_000, within: 500, least: 9_500)
    private static let worst = Promise.Limit(
        measure: .lossPercentWorst, policy: "512KB", at: 10_000, within: 500, most: 5)
    private static let every = Promise.Limit(measure: .lostBeyondBound, most: 0)

    private static func rows(
        late: Int, of total: Int = 64, kill: Int = 1, lost: Int64 = 100
    ) -> [IterationRow] {
        (0..<total).map { index in
            makeRow(iteration: index + 1, lost: lost, received: index < late ? 10_501 : 9_900) {
                $0.planned = "9800:flowing"
                $0.kill = kill
            }
        }
    }

    static let cases: [(rows: [IterationRow], limits: [Promise.Limit], missing: Int)] = [
        (rows(late: 5), [kept, worst], 0), (rows(late: 6), [kept, every], 1),
        (rows(late: 34), [worst], 29),
        // What a kill has lost does not decide how many are made.
        (rows(late: 6, lost: 9_000), [kept], 1),
        // Fewer than half of what is needed count: the run is about something else.
        (rows(late: 35), [kept], 0), (rows(late: 6, kill: 2), [kept], 0), ([], [kept], 0),
        (rows(late: 60), [every], 0),
    ]

    @Test(arguments: cases.indices)
    func areCounted(index: Int) {
        let (rows, limits, missing) = Self.cases[index]
        let promise = Promise(
            id: "B3", promise: "", documented: "", judgedBy: ["saved"], limits: limits)
        #expect(PromiseJudge.missingKills(rows, videoLength: 10 << 20, of: [promise]) == missing)
    }

    /// Of two runs that make up a part the worse end is the part's, and a row that is missing in
    /// either is missing.
    @Test func twoRunsAreOnePart() {
        func part(_ exitCode: Int32, expected: Int? = 64) -> RunPart {
            RunPart(
                name: "saved", exitCode: exitCode, expectedRows: expected, videoLength: 10 << 20,
                rows: Self.rows(late: 6), complaint: "\(exitCode)")
        }
        let both = part(0).joined(part(0))
        #expect(both.hasAllRows && both.rows.count == 128 && both.failure == nil)
        #expect(part(0).joined(part(98)).exitCode == 98)
        #expect(!part(0).joined(part(0, expected: 65)).hasAllRows)
        #expect(part(0).joined(part(70, expected: nil)).failure?.reason == "exit 70: 70")
        var trial = PromiseTrial(of: [
            Promise(id: "B3", promise: "", documented: "", judgedBy: ["saved"], limits: [Self.kept])
        ])
        #expect(trial.missingKills(part(0)) == 1)
        #expect(trial.missingKills(part(99)) == 0 && trial.missingKills(both) == 0)
        trial.add(both)
        #expect(trial.report(runID: "r", seed: 1).status == .success)
    }
}
