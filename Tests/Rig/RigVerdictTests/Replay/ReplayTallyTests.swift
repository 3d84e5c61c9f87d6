import RigModel
import RigVerdict
import Testing

/// What counts as a reproduction, and what follows from the counts.
struct ReplayTallyTests {
    private func row(_ checkers: Set<Checker>) -> IterationRow {
        makeRow(verdict: checkers.isEmpty ? .pass : .fail, checkers: checkers)
    }

    private func tally(of original: Set<Checker>) -> ReplayTally {
        ReplayTally(original: original.isEmpty ? .pass : .fail, checkers: original)
    }

    private static let nothing = makeRow(verdict: .inconclusive, reason: "too early")

    @Test(
        arguments: [
            ([.bound], [.bound], true), ([.bound], [.durability, .bound], true),
            ([.bound, .durability], [.durability, .bound], true),
            ([.bound, .durability], [.bound], false), ([.bound], [.integrity], false),
            ([.bound], [], false), ([], [.bound], false), ([], [], false),
        ] as [(Set<Checker>, Set<Checker>, Bool)])
    func onlyAFailureByTheSameCheckersReproduces(
        original: Set<Checker>, now: Set<Checker>, isSame: Bool
    ) {
        var tally = tally(of: original)
        #expect(tally.count(row(now)) == isSame)
        #expect(tally.reproduced == (isSame ? 1 : 0))
        #expect(tally.failedOtherwise == (!isSame && !now.isEmpty ? 1 : 0))
        #expect(tally.passed == (now.isEmpty ? 1 : 0))
        #expect(tally.times == 1)
        #expect(tally.status == (now.isEmpty ? .success : .gateFailed))
    }

    @Test func otherFailuresAreToldApart() {
        var tally = tally(of: [.bound])
        for checker in [.integrity, .integrity, .ranges, .bound] as [Checker] {
            tally.count(row([checker]))
        }
        #expect(tally.otherwise == [[.integrity]: 2, [.ranges]: 1])
        #expect(tally.reproduced == 1)
    }

    @Test func whatProvesNothingIsNoPass() {
        var tally = tally(of: [.bound])
        tally.count(Self.nothing)
        #expect(tally.status == .inconclusive && tally.inconclusive == ["too early": 1])
        tally.count(row([]))
        #expect(tally.status == .success)
        tally.count(row([.bound]))
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
