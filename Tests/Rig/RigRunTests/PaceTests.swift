import Testing

@testable import RigRun

/// How long the video takes where that is there only to spread kills.
struct PaceTests {
    @Test(
        arguments: [
            ([0.1, 0.1, 0.1, 0.1, 0.1], 0.05),
            // The first and the last one do not count: 20 ms are left.
            ([0.3, 0.1, 0.12, 0.11, 0.01], 0.4),
            ([0.1, 0.2, 0.3, 0.4, 0.5], 0.5),
            ([], nil), ([0.1, 0.2], nil),
        ] as [([Double], Double?)])
    func itIsTwentyTimesTheScatterWithinLimits(starts: [Double], seconds: Double?) {
        let found = KillTest.spread(starts)?.seconds
        #expect((found == nil) == (seconds == nil))
        #expect(abs((found ?? 0) - (seconds ?? 0)) < 1e-9)
    }

    @Test func theStartsThatCountAreSaid() throws {
        let spread = try #require(KillTest.spread([0.3, 0.1, 0.12, 0.11, 0.01]))
        #expect(spread.least == 0.1 && spread.most == 0.12)
    }
}
