package struct PlannedVideo: Sendable, Hashable {
    /// A UUID in upper case.
    package let id: String
    package let title: String
    package let description: String?
    /// The last part of the video's address.
    package let file: String
    /// The image number of its thumbnail; nil for none.
    package let image: Int?
    /// Seconds; nil when the list does not say.
    package let duration: Double?
}

/// The lists and images that the origin serves for `offline-library`, the same in every iteration.
///
/// Every list has a new generation, other titles, videos and images. The workload's positions are
/// the bytes of all lists by generation, then of all images by number; those of an image that is
/// fetched again are the same.
package struct LibraryPlan: Sendable, Hashable {
    /// The number of lists that have positions; a fast worker may be served later lists.
    package static let generations = 12
    /// Every list is padded with blanks to this size, so that addresses do not change its length.
    package static let listBytes: Int64 = 16 << 10
    package static let imageCount = 24

    package let imageBytes: [Int64]

    /// Images of at most so many bytes: a threshold, which then bounds what is in flight.
    package init(largest: Int64) {
        var random = SplitMix64(seed: 0x6C69_6272_6172_7921)
        let most = Double(max(1, min(largest, Self.mostImageBytes)))
        // The smallest image has one byte, the largest the maximum allowed.
        imageBytes = (0..<Self.imageCount).map { number in
            let share = random.unit()
            return number == 0 ? 1 : number == 1 ? Int64(most) : max(1, Int64(share * most))
        }
    }

    package static let mostImageBytes: Int64 = 512 << 10

    package var length: Int64 { Int64(Self.generations) * Self.listBytes + imageBytes.reduce(0, +) }

    /// The positions of the list of a generation, counted from 1; nil for one without positions.
    package func listRange(_ generation: Int) -> Range<Int64>? {
        guard (1...Self.generations).contains(generation) else { return nil }
        let start = Int64(generation - 1) * Self.listBytes
        return start..<start + Self.listBytes
    }

    package func imageRange(_ number: Int) -> Range<Int64> {
        let start = Int64(Self.generations) * Self.listBytes + imageBytes[..<number].reduce(0, +)
        return start..<start + imageBytes[number]
    }

    package func list(_ generation: Int) -> [PlannedVideo] {
        var random = SplitMix64(seed: UInt64(generation) &* 0x9E37_79B9_7F4A_7C15)
        let count = 3 + Int(random.next() % 10)
        return (0..<count).map { index in
            // The first image advances by two per generation, and lists have at least three.
            let image = index % 9 == 8 ? nil : (2 * (generation - 1) + index) % Self.imageCount
            return PlannedVideo(
                id: Self.uuid(&random), title: "Video \(index) of list \(generation)",
                description: index % 3 == 2
                    ? nil : "Zwölf Boxkämpfer, \"quoted\"\n\(random.next())",
                file: "\(generation)-\(index).mp4", image: image,
                duration: index % 4 == 3 ? nil : Double(random.next() % 100_000) / 8)
        }
    }

    package func images(_ generation: Int) -> [Int] {
        Set(list(generation).compactMap(\.image)).sorted()
    }

    private static func uuid(_ random: inout SplitMix64) -> String {
        let digits = [random.next(), random.next()].map { word in
            let text = String(word, radix: 16, uppercase: true)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        let cuts = [0, 8, 12, 16, 20, 32]
        return zip(cuts, cuts.dropFirst()).map { start, end in
            String(digits.dropFirst(start).prefix(end - start))
        }.joined(separator: "-")
    }
}
