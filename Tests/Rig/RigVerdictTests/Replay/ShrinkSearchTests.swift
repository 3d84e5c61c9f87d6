import RigVerdict
import Testing

/// The search for the smallest case that still fails, on known failures.
struct ShrinkSearchTests {
    /// A failure with a smallest case that follows from its condition.
    struct Failure: CustomTestStringConvertible {
        let name: String
        let start: [Int64]
        var least: [Int64]
        let isFailing: @Sendable ([Int64]) -> Bool
        let smallest: [Int64]

        var testDescription: String { name }

        var search: ShrinkSearch {
            ShrinkSearch(zip(start, least).map { ShrinkDimension(name: "", least: $1, value: $0) })
        }
    }

    static let failures = [
        Failure(
            name: "always", start: [5_000_000, 10_000_000], least: [1, 3],
            isFailing: { _ in true }, smallest: [1, 3]),
        Failure(
            name: "only as it was", start: [7, 9], least: [1, 1], isFailing: { $0 == [7, 9] },
            smallest: [7, 9]),
        Failure(
            name: "beyond a byte", start: [5_000_000], least: [1],
            isFailing: { $0[0] > 524_288 }, smallest: [524_289]),
        Failure(
            name: "not at the least, but right after it", start: [2], least: [1],
            isFailing: { $0[0] > 1 }, smallest: [2]),
        // More is lost than the threshold, as with a worker that saves nothing.
        Failure(
            name: "position, threshold and size hang together",
            start: [5_000_000, 524_288, 10_485_760], least: [1, 16_384, 2_000],
            isFailing: { $0[0] > $0[1] && $0[0] < $0[2] }, smallest: [16_385, 16_384, 16_386]),
        Failure(
            name: "a second round is needed", start: [100, 100], least: [1, 1],
            isFailing: { $0[0] >= $0[1] && $0[1] >= 3 }, smallest: [3, 3]),
    ]

    @Test(arguments: failures)
    func theSmallestFailingCaseIsFound(_ failure: Failure) async {
        let found = await failure.search.run { failure.isFailing($0) }
        #expect(found.values == failure.smallest)
        #expect(failure.isFailing(found.values))
        #expect(found.isMinimal)
    }

    @Test func noCandidateIsTriedTwice() async {
        for failure in Self.failures {
            var tried: [[Int64]] = []
            let found = await failure.search.run {
                tried.append($0)
                return failure.isFailing($0)
            }
            #expect(Set(tried).count == tried.count)
            #expect(tried.count == found.candidates)
            #expect(!tried.contains(failure.start))
        }
    }

    @Test func theSearchStopsAfterAsManyCandidatesAsItMay() async {
        let dimension = ShrinkDimension(name: "", least: 1, value: 1 << 40)
        var count = 0
        let found = await ShrinkSearch([dimension], mostCandidates: 10).run {
            count += 1
            return $0[0] > 1 << 20
        }
        #expect(count == 10)
        #expect(!found.isMinimal)
        #expect(found.values[0] > 1 << 20 && found.values[0] < 1 << 40)
    }

    @Test func aGrainEndsTheHalvingEarly() async {
        let dimension = ShrinkDimension(name: "", least: 0, value: 1 << 20, grain: 1 << 10)
        let found = await ShrinkSearch([dimension]).run { $0[0] > 5_000 }
        #expect(found.values[0] > 5_000 && found.values[0] <= 5_000 + 1 << 10)
        #expect(found.candidates == 11)
    }

    @Test func whatTheTrialThrowsEndsTheSearch() async {
        struct Enough: Error {}
        let search = ShrinkSearch([ShrinkDimension(name: "", least: 1, value: 9)])
        await #expect(throws: Enough.self) { _ = try await search.run { _ in throw Enough() } }
    }
}
