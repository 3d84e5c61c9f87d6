import Testing

@testable import VideoCache

@Suite("Ranges merge, and saving twice changes nothing (C2)")
struct ByteRangeSetTests {
    private static let mergings: [(inserted: [(Int64, Int64)], expected: [(Int64, Int64)])] = [
        ([(0, 10), (10, 5)], [(0, 15)]),
        ([(10, 5), (0, 10)], [(0, 15)]),
        ([(0, 10), (11, 5)], [(0, 10), (11, 5)]),
        ([(0, 10), (5, 10), (2, 3)], [(0, 15)]),
        ([(0, 1), (4, 1), (2, 1), (1, 3)], [(0, 5)]),
        ([(3, 0)], []),
    ]

    @Test(arguments: mergings)
    func merging(inserted: [(Int64, Int64)], expected: [(Int64, Int64)]) {
        let set = ByteRangeSet(inserted.map { ByteRange(offset: $0.0, length: $0.1) })
        #expect(set.ranges == expected.map { ByteRange(offset: $0.0, length: $0.1) })
    }

    @Test("agrees with a plain set of positions", arguments: UInt64(1)...20)
    func model(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        var set = ByteRangeSet()
        var model = Set<Int64>()
        let all = ByteRange(offset: 0, length: 120)
        for _ in 0..<60 {
            let range = ByteRange(
                offset: Int64.random(in: 0..<100, using: &generator),
                length: Int64.random(in: 0..<20, using: &generator))
            if Bool.random(using: &generator) {
                set.insert(range)
                model.formUnion(range.offset..<range.end)
            } else {
                set.remove(range)
                model.subtract(range.offset..<range.end)
            }
            #expect(set.byteCount == Int64(model.count))
            #expect(set.contains(range) == model.isSuperset(of: range.offset..<range.end))
            let other = ByteRange(
                offset: Int64.random(in: 0..<100, using: &generator),
                length: Int64.random(in: 0..<20, using: &generator))
            #expect(set.contains(other) == model.isSuperset(of: other.offset..<other.end))
            #expect(
                set.intersection(other).flatMap { Array($0.offset..<$0.end) }
                    == (other.offset..<other.end).filter(model.contains))
            let missing: [Int64] = set.gaps(in: all).flatMap { Array($0.offset..<$0.end) }
            let expected: [Int64] = (0..<120).filter { !model.contains($0) }
            #expect(missing == expected)
            #expect(
                zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.end < $1.offset },
                "neighbours are merged")
        }
    }

    @Test func containsAndOverlaps() {
        let range = ByteRange(offset: 10, length: 10)
        #expect(range.contains(10) && range.contains(19))
        #expect(!range.contains(9) && !range.contains(20))
        #expect(range.overlaps(ByteRange(offset: 19, length: 5)))
        #expect(!range.overlaps(ByteRange(offset: 20, length: 5)))
        #expect(range.description == "10-19")
    }
}

@Suite("Content-Range")
struct ContentRangeTests {
    private static let readable: [(String, ByteRange?, Int64?)] = [
        ("bytes 0-1/1000", ByteRange(offset: 0, length: 2), 1000),
        ("bytes 5-9/*", ByteRange(offset: 5, length: 5), nil),
        ("Bytes */77", nil, 77),
        // As servers and programs before them vary it (K2).
        ("bytes  0 - 1 / 1000", ByteRange(offset: 0, length: 2), 1000),
        ("bytes\t0-1/1000", ByteRange(offset: 0, length: 2), 1000),
        ("bytes=0-1/1000", ByteRange(offset: 0, length: 2), 1000),
        ("bytes: 0-1/1000 ", ByteRange(offset: 0, length: 2), 1000),
        ("0-1/1000", ByteRange(offset: 0, length: 2), 1000),
        ("bytes 0-1", ByteRange(offset: 0, length: 2), nil),
        ("bytes 0-1/", ByteRange(offset: 0, length: 2), nil),
        ("bytes 1000-999/1000", nil, 1000),
    ]

    @Test(arguments: readable)
    func valid(text: String, range: ByteRange?, total: Int64?) throws {
        let parsed = try #require(ContentRange(text))
        #expect(parsed.range == range)
        #expect(parsed.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes 1-0/5", "bytes 0-5/5", "bytes -1-3/9", "lines 0-1/5", "bytes 0-1/2/3",
        "bytes 0-9223372036854775807/*", "bytes a-b/c", "bytes 0-1/-5",
        "bytes 0-1/5, 3-4/5", "bytes 1 0-2/20", "bytes +0-+1/5", "bytes 7-6/5", "bytes */*",
        "bytes 0-",
        "byte 0-1/5", "bytes 3-2/4",
    ])
    func invalid(text: String) { #expect(ContentRange(text) == nil) }
}
