internal import Benchmark
internal import VideoCache

/// The operations behind a player's progress bar and every request for missing bytes.
///
/// A thousand at once if one is too short for the clock.
func addRangeSets() {
    Benchmark("range set: 1,000 insertions among 1,000") { _, holed in
        var set = holed
        for index in 0..<1000 {
            let offset = Int64(index * 7919 % 1000) * 20
            set.insert(ByteRange(offset: offset + 12, length: 2))
        }
        blackHole(set)
    } setup: {
        holed(1000)
    }
    Benchmark("range set: gaps among 1,000") { _, holed in
        blackHole(holed.gaps(in: ByteRange(offset: 0, length: 20_000)))
    } setup: {
        holed(1000)
    }
    Benchmark("range set: 1,000 lookups among 100,000") { _, holed in
        for index in 0..<1000 {
            let offset = Int64(index * 7919 % 100_000) * 20
            blackHole(holed.contains(ByteRange(offset: offset, length: 10)))
        }
    } setup: {
        holed(100_000)
    }
}

/// Ranges of 10 bytes with gaps of 10 between them.
private func holed(_ count: Int) -> ByteRangeSet {
    ByteRangeSet((0..<count).map { ByteRange(offset: Int64($0) * 20, length: 10) })
}
