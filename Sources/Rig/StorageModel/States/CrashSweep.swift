internal import RigModel

/// Goes through the cases of a sweep, and gives each different state of the disk once: first one
/// case of each group, then the others spread evenly, so wherever it is left, the rest is not of
/// one kind.
struct CrashSweep: Sendable {
    private let replay: StorageReplay
    private let cases: SweepCases
    private let first: [Int]
    private let isFirst: Set<Int>
    private let start: Int
    private let step: Int
    private let mostImages: Int
    private var position = 0
    private var tried = 0
    private var images = 0
    /// The ways of the present case that are still to come, the last one next.
    private var ways: [[CrashDecision]] = []
    private var seen: Set<Int> = []
    private(set) var decisions: [CrashDecision] = []

    /// About how many operations may be replayed for images, known ones too: some ten seconds.
    private static let mostSteps = 10_000_000

    /// The seed decides which case stands for its group, and the order of the others.
    init(
        of replay: StorageReplay, seed: UInt64, most: Int, places: [Int: [StackPlace]] = [:]
    ) {
        self.replay = replay
        cases = SweepCases(of: replay, seed: seed)
        first = cases.representatives(in: replay, places: places)
        isFirst = Set(first)
        let count = cases.count
        var step = max(1, Int(Double(count) * 0.618_034))
        while count > 1, Self.divisor(step, count) > 1 { step += 1 }
        self.step = step
        start = Int(seed % UInt64(count))
        mostImages = max(4 * most, Self.mostSteps / (cases.operations.count + 1))
    }

    var coverage: SweepCoverage { SweepCoverage(cases: cases.count, tried: tried) }

    mutating func next() -> CrashImage? {
        while images < mostImages {
            guard let decisions = ways.popLast() else {
                guard let number = nextNumber() else { return nil }
                ways = cases.decisions(of: cases[number]).reversed()
                if ways.isEmpty { tried += 1 }
                continue
            }
            if ways.isEmpty { tried += 1 }
            images += 1
            let image = replay.state(deciding: decisions)
            if seen.insert(image.hashValue).inserted {
                self.decisions = decisions
                return image
            }
        }
        return nil
    }

    private mutating func nextNumber() -> Int? {
        while position < first.count + cases.count {
            position += 1
            if position <= first.count { return first[position - 1] }
            let number = (start + (position - first.count - 1) * step) % cases.count
            if !isFirst.contains(number) { return number }
        }
        return nil
    }

    private static func divisor(_ one: Int, _ other: Int) -> Int {
        other == 0 ? one : divisor(other, one % other)
    }
}
