import RigModel
import Testing

/// The clock is the numbers that the audit would read from it.
///
/// Nothing bounded a situation: a program that starts over for ever took ten minutes of each kill.
@Suite struct AuditTimeTests {
    private static let weights = AuditSituation.all.reduce(0) { $0 + $1.weight }

    private func timed(minutes: Double, unharmed: Double = 1) -> AuditTime {
        AuditTime(minutes: minutes, unharmed: unharmed, hang: 30)
    }

    @Test func eachGetsItsShareAndAtMostTwiceOfIt() throws {
        let first = AuditSituation.all[0]
        let long = try #require(timed(minutes: 60).share(of: first, after: 0))
        let share = 3600 * Double(first.weight) / Double(Self.weights)
        #expect(long.iterations == 20 * first.weight)
        #expect(abs(long.mostSeconds - 2 * share) < 0.001)
        let usual = try #require(timed(minutes: 3).share(of: first, after: 1))
        #expect(usual.iterations == Int(179 * Double(first.weight) / Double(Self.weights)))
    }

    /// Otherwise a hang would be cut off before it is known.
    @Test func oneIterationHasItsTimeAlsoWhereItHangs() throws {
        let all = AuditSituation.all
        let last = try #require(all.last)
        #expect(timed(minutes: 3).share(of: last, after: 179.9)?.mostSeconds == 45)
        #expect(timed(minutes: 3, unharmed: 20).share(of: all[0], after: 40)?.mostSeconds == 130)
        // The first two are made in any case, and no other one.
        #expect(timed(minutes: 3).share(of: all[1], after: 500)?.iterations == 4)
        #expect(timed(minutes: 3).share(of: all[2], after: 180) == nil)
    }

    @Test func whatHangsEverywhereTakesLittleMoreThanTheMinutes() {
        var (time, elapsed, tried) = (timed(minutes: 3), 1.0, 0)
        for situation in AuditSituation.all {
            guard let share = time.share(of: situation, after: elapsed) else { continue }
            tried += 1
            elapsed += share.mostSeconds
            time.note(0, took: share.mostSeconds)
        }
        #expect(tried == 4 && elapsed == 181)
    }

    @Test func oneThatHangsLeavesTimeForTheOthers() throws {
        var (time, elapsed) = (timed(minutes: 3), 1.0)
        for (index, situation) in AuditSituation.all.enumerated() {
            let share = try #require(time.share(of: situation, after: elapsed))
            let took = index == 0 ? share.mostSeconds : 0.5 * Double(share.iterations)
            #expect(took <= share.mostSeconds)
            elapsed += took
            time.note(index == 0 ? 0 : Double(share.iterations), took: took)
        }
        #expect(elapsed <= 180)
    }
}
