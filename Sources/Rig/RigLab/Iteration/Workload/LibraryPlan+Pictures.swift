internal import Fixture
internal import RigModel

extension LibraryPlan {
    /// Image bytes derived from the image's number.
    var pictures: [MemoryVideo] {
        imageBytes.enumerated().map { number, count in
            var random = SplitMix64(seed: UInt64(number))
            return MemoryVideo((0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        }
    }
}
