internal import RigModel

/// How likely the unsynced writes of one file are to reach the disk before the power fails.
///
/// The odds are drawn anew for each file of each image. With one fixed chance nearly all images
/// would be alike: of a hundred writes to a log an early one would always be missing, and the later
/// ones would never matter.
struct SurvivalOdds: Sendable {
    /// The chance that a write that is not torn reaches the disk.
    private let kept: Double
    /// The chance that a write is torn: each of its sectors is the new or the old one.
    private let torn: Double

    private static let keptChances = [0, 0.05, 0.5, 0.95, 1]
    private static let tornChances = [0, 0.05, 0.5]

    /// What happens to a write.
    struct Fate: Equatable {
        /// The sectors that reach the disk, as aligned runs in order.
        var sectors: [Range<Int64>]
        /// True when the file grows to the write's end even if its data is missing.
        var growsAnyway: Bool
    }

    /// Draws the odds for a file.
    init(using random: inout SplitMix64) {
        kept = Self.keptChances.randomElement(using: &random) ?? 0.5
        torn = Self.tornChances.randomElement(using: &random) ?? 0.5
    }

    /// Decides what happens to a write.
    ///
    /// - Parameters:
    ///   - range: the positions that it wrote.
    ///   - random: the source of randomness.
    /// - Returns: the sectors that reach the disk, each of them whole.
    func fate(of range: Range<Int64>, using random: inout SplitMix64) -> Fate {
        let sectors = range.sectors
        let isTorn = random.unit() < torn
        let isKept = random.unit() < kept
        let growsAnyway = random.unit() < 0.25
        guard isTorn else {
            let all = sectors.isEmpty ? [] : [sectors]
            return Fate(sectors: isKept ? all : [], growsAnyway: growsAnyway)
        }
        var runs: [Range<Int64>] = []
        for start in stride(
            from: sectors.lowerBound, to: sectors.upperBound, by: Int(SparseBytes.sectorSize))
        where random.next() & 1 == 1 {
            let end = start + SparseBytes.sectorSize
            if let last = runs.last, last.upperBound == start {
                runs[runs.count - 1] = last.lowerBound..<end
            } else {
                runs.append(start..<end)
            }
        }
        return Fate(sectors: runs, growsAnyway: growsAnyway)
    }
}

extension Range<Int64> {
    /// The range extended to whole sectors; empty for an empty range.
    fileprivate var sectors: Self {
        guard !isEmpty else { return self }
        let size = SparseBytes.sectorSize
        return lowerBound / size * size..<(upperBound + size - 1) / size * size
    }
}
