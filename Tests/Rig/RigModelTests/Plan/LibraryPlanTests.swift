import RigModel
import Testing

/// The lists and images of `offline-library`: all different, and laid end to end without gaps.
struct LibraryPlanTests {
    private let plan = LibraryPlan(largest: 512 << 10)

    @Test func everyListIsUnlikeTheOneBefore() {
        let lists = (1...LibraryPlan.generations + 1).map(plan.list)
        for (old, new) in zip(lists, lists.dropFirst()) {
            #expect(Set(old.map(\.title)).isDisjoint(with: new.map(\.title)))
            #expect(Set(old.map(\.id)).isDisjoint(with: new.map(\.id)))
            #expect(old.map(\.image) != new.map(\.image))
        }
        #expect(Set(lists.map(\.count)).count > 3)
        #expect(lists.allSatisfy { Set($0.map(\.id)).count == $0.count && $0.count >= 3 })
        #expect(plan.list(5) == plan.list(5))
    }

    @Test func idsAreUUIDs() {
        for video in plan.list(1) {
            #expect(video.id.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
            #expect(video.id.allSatisfy { $0 == "-" || ($0.isHexDigit && !$0.isLowercase) })
        }
    }

    /// A planned byte must be one that the origin serves in its lists.
    @Test func everyImageHasItsTurn() {
        let images = Set((1...LibraryPlan.generations).flatMap(plan.images))
        #expect(images == Set(0..<LibraryPlan.imageCount))
    }

    @Test(arguments: [1, 64 << 10, 256 << 10, 512 << 10, 1 << 30] as [Int64])
    func positionsHaveNoHole(largest: Int64) {
        let plan = LibraryPlan(largest: largest)
        let ranges =
            (1...LibraryPlan.generations).compactMap(plan.listRange)
            + (0..<LibraryPlan.imageCount).map(plan.imageRange)
        var end: Int64 = 0
        for range in ranges {
            #expect(range.lowerBound == end && !range.isEmpty)
            end = range.upperBound
        }
        #expect(end == plan.length)
        #expect(plan.imageBytes.allSatisfy { (1...min(largest, 512 << 10)).contains($0) })
        #expect(plan.imageBytes.max() == min(largest, 512 << 10))
        #expect(plan.listRange(0) == nil && plan.listRange(LibraryPlan.generations + 1) == nil)
    }
}
