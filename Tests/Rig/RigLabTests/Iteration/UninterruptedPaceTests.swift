import Testing

@testable import RigLab

/// Timed kills used to be compared with the time unit that planned them, which they always fit.
///
/// A worker's measured lives were fast, but its later ones waited a second after their first byte.
/// All of 20 kills, planned from 3 % to 79 %, landed at its first bytes, and the run passed.
@Suite struct UninterruptedPaceTests {
    /// A run that receives 100 bytes in 10 s, and waits at 40 bytes from 4 s to 6 s.
    private static func run(slower factor: Double = 1) -> UninterruptedRun {
        var curve = ProgressCurve()
        for second in 0...12 {
            let received = second <= 4 ? 10 * second : max(40, 10 * (second - 2))
            curve.note(Int64(received), at: Double(second) * factor)
        }
        return UninterruptedRun(seconds: 12 * factor, curve: curve)
    }

    @Test(arguments: [(0, 0.5, 0), (25, 0.9, 2.5), (45, 0, 6.5), (100, 0.2, 12)])
    func aKillIsWhereALifeHadAsMuch(bytes: Int64, planned: Double, second: Double) throws {
        let fraction = UninterruptedPace([Self.run()]).fraction(atBytes: bytes, planned: planned)
        #expect(abs(try #require(fraction) - second / 12) < 0.002 / 12 + 1e-9)
    }

    /// A stretch without bytes is no evidence for or against the plan.
    @Test(arguments: [(0.1, 4), (0.4, 4.8), (0.5, 6), (0.9, 6)])
    func aStretchWithoutBytesIsTakenAsPlanned(planned: Double, second: Double) throws {
        let fraction = UninterruptedPace([Self.run()]).fraction(atBytes: 40, planned: planned)
        #expect(abs(try #require(fraction) - second / 12) < 0.002 / 12 + 1e-9)
    }

    /// One run that the machine slowed down does not change the result.
    @Test func theMedianOfTheRunsCounts() throws {
        let pace = UninterruptedPace([Self.run(), Self.run(slower: 9), Self.run(slower: 1.1)])
        #expect(pace.seconds == 12 * 1.1)
        let fraction = try #require(pace.fraction(atBytes: 20, planned: 0.5))
        #expect(abs(fraction - 2 / 12.0) < 0.002 / 12 + 1e-9)
    }

    @Test func whatNoRunTellsIsNotKnown() {
        #expect(UninterruptedPace([]).fraction(atBytes: 5, planned: 0.5) == nil)
        #expect(UninterruptedPace([]).seconds == .infinity)
        #expect(UninterruptedPace([Self.run()]).fraction(atBytes: 101, planned: 0.5) == nil)
    }

    /// On a busy machine all bytes of a short video came between two looks of the rig.
    ///
    /// So three lives of three took no time at all. The moment of every kill, divided by it, was
    /// infinite, which JSON cannot say: the run ended with 70, and its parts were missing.
    @Test func aRunOfOneLookTellsNoPace() {
        let atOnce = UninterruptedRun(seconds: 0, curve: ProgressCurve())
        #expect(UninterruptedPace([atOnce, atOnce]).seconds == .infinity)
        #expect(UninterruptedPace([atOnce, Self.run(), atOnce]).seconds == 12)
    }

    /// A difference of two milliseconds is ignored, in both directions; a larger one counts, less
    /// those.
    @Test(arguments: [(2.502, 2.502), (2.498, 2.498), (2.6, 2.502), (2.4, 2.498)])
    func momentsWithinTheTolerance(planned: Double, second: Double) throws {
        let pace = UninterruptedPace([Self.run()])
        let fraction = try #require(pace.fraction(atBytes: 25, planned: planned / 12))
        #expect(abs(fraction - second / 12) < 1e-9)
    }
}
