import RigModel
import RigVerdict
import Testing

/// The summary of the stages of many iterations.
@Suite struct StageSummariesTests {
    private static let timings = RunTimings(
        iterations: (1...10).map { number in
            IterationTimings(
                iteration: number, policy: "512KB",
                stages: number == 4 ? [.spawn: 2, .autopsy: 2] : [.spawn: Double(number)],
                overlapped: number == 4 ? [.cleanUp: 7] : [:])
        }, elapsed: 60, rigProcessor: 1, workerProcessor: 2)

    @Test func stagesComeInTheirOrderAndShareTheWhole() throws {
        let summaries = Self.timings.summaries
        #expect(summaries.map(\.name) == ["spawn", "autopsy", "clean_up_beside"])
        let shares = summaries.compactMap(\.share)
        #expect(shares.count == 2)
        #expect(abs(shares.reduce(0, +) - 1) < 1e-12)
        #expect(summaries[0].total == 53)
        #expect(try #require(Self.timings.whole).total == 55)
    }

    /// A stage that did not occur is not one of 0 s, which would lower the median.
    @Test func onlyIterationsInWhichAStageCameCount() {
        let autopsy = Self.timings.summaries[1]
        #expect(autopsy.median == 2 && autopsy.p90 == 2)
        #expect(Self.timings.summaries[2].share == nil)
    }

    @Test func statisticsAreThoseOfTheIterations() throws {
        let whole = try #require(Self.timings.whole)
        #expect(whole.median == 5.5 && whole.p90 == 9 && whole.max == 10)
    }
}
