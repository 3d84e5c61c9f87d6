import RigModel
import RigVerdict
import Testing

/// What counts as a reproduction, and what follows from the counts.
struct ReplayTallyTests {
    private func row(_ reason: String) -> IterationRow {
        makeRow(verdict: reason.isEmpty ? .pass : .fail, reason: reason)
    }

    private static let nothing = makeRow(verdict: .inconclusive, reason: "too early")

    @Test(arguments: [
        ("bound: 1", "bound: 2", true),
        ("bound: 1", "durability: 2; bound: 1", true),
        ("bound: 1; durability: 2", "durability: 2; bound: 1", true),
        ("bound: 1; durability: 2", "bound: 1", false),
        ("bound: 1", "integrity: 1", false),
        ("bound: 1", "", false),
        ("", "bound: 1", false),
        ("", "", false),
    ])
    func onlyAFailureByTheSameCheckersReproduces(original: String, now: String, isSame: Bool) {
        var tally = ReplayTally(repeating: row(original))
        #expect(tally.count(row(now)) == isSame)
        #expect(tally.reproduced == (isSame ? 1 : 0))
        #expect(tally.failedOtherwise == (!isSame && !now.isEmpty ? 1 : 0))
        #expect(tally.passed == (now.isEmpty ? 1 : 0))
        #expect(tally.times == 1)
        #expect(tally.status == (now.isEmpty ? .success : .gateFailed))
    }

    @Test func otherFailuresAreToldApart() {
        var tally = ReplayTally(repeating: row("bound: 1"))
        for reason in ["integrity: 1", "integrity: 2", "ranges: 1", "bound: 3"] {
            tally.count(row(reason))
        }
        #expect(tally.otherwise == [[.integrity]: 2, [.ranges]: 1])
        #expect(tally.reproduced == 1)
    }

    @Test func whatProvesNothingIsNoPass() {
        var tally = ReplayTally(repeating: row("bound: 1"))
        tally.count(Self.nothing)
        #expect(tally.status == .inconclusive)
        #expect(tally.inconclusive == ["too early": 1])
        tally.count(row(""))
        #expect(tally.status == .success)
        tally.count(row("bound: 1"))
        #expect(tally.status == .gateFailed)
    }

    @Test(arguments: [
        (20, 20, 2), (10, 20, 7), (1, 20, 20), (0, 20, 20), (19, 20, 2), (3, 3, 3), (1, 1, 1),
    ])
    func aSmallerCaseIsTriedUntilAMissIsUnlikely(reproduced: Int, of times: Int, tries: Int) {
        var tally = ReplayTally(original: .fail, checkers: [.bound])
        tally.reproduced = reproduced
        tally.passed = times - reproduced
        #expect(tally.triesPerCandidate == tries)
    }
}
