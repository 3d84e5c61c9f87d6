import RigModel
import Testing

@Suite struct ByteRangesTests {
    /// Random ranges in 0 ..< 24, some of them empty, touching or overlapping.
    private static func ranges(from random: inout SplitMix64) -> [Range<Int64>] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
            let start = Int64.random(in: 0...24, using: &random)
            return start..<Int64.random(in: start...24, using: &random)
        }
    }

    private static func positions(_ set: ByteRanges) -> Set<Int64> {
        Set(set.ranges.flatMap { Array($0) })
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func agreesWithABruteForceModel(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<250 {
            let left = Self.ranges(from: &random)
            let right = Self.ranges(from: &random)
            let a = ByteRanges(left)
            let b = ByteRanges(right)
            let modelA = Set(left.flatMap { Array($0) })
            let modelB = Set(right.flatMap { Array($0) })
            #expect(Self.positions(a) == modelA)
            #expect(a.count == Int64(modelA.count))
            #expect(a.isEmpty == modelA.isEmpty)
            #expect(Self.positions(a.union(b)) == modelA.union(modelB))
            #expect(Self.positions(a.subtracting(b)) == modelA.subtracting(modelB))
            #expect(Self.positions(a.intersection(b)) == modelA.intersection(modelB))
            #expect(a.contains(b) == modelA.isSuperset(of: modelB))
            for set in [a, b, a.union(b), a.subtracting(b), a.intersection(b)] {
                Self.expectCanonical(set)
            }
            #expect((a == b) == (modelA == modelB))
        }
    }

    private static func expectCanonical(_ set: ByteRanges) {
        #expect(set.ranges.allSatisfy { !$0.isEmpty })
        for (one, next) in zip(set.ranges, set.ranges.dropFirst()) {
            #expect(one.upperBound < next.lowerBound)
        }
    }

    @Test func worksAtTheEndOfTheNumbers() {
        let all = ByteRanges([0..<Int64.max])
        #expect(all.subtracting(ByteRanges([1..<Int64.max - 1])).count == 2)
        #expect(all.count == Int64.max)
    }
}
