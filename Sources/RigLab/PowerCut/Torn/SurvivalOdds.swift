internal import RigModel

/// How likely the unsynced writes of one file are to reach the disk before the power fails.
///
/// Drawn anew for each file of each image. With one fixed chance nearly all images would be alike:
/// of a hundred writes to a log some early one would always be missing, and what comes after it
/// would never matter.
struct SurvivalOdds: Sendable {
    /// The chance of a write that is not torn to be there.
    private let kept: Double
    /// The chance of a write to be torn: each of its sectors is the new or the old one.
    private let torn: Double

    private static let keptChances = [0, 0.05, 0.5, 0.95, 1]
    private static let tornChances = [0, 0.05, 0.5]

    /// What becomes of a write.
    struct Fate: Equatable {
        /// The sectors that reach the disk, as aligned runs in order.
        var sectors: [Range<Int64>]
        /// True when the file has grown to the write's end even where its data is missing.
        var growsAnyway: Bool
    }

    /// Draws the odds of a file.
    init(using random: inout SplitMix64) {
        kept = Self.keptChances.randomElement(using: &random) ?? 0.5
        torn = Self.tornChances.randomElement(using: &random) ?? 0.5
    }

    /// Decides what becomes of a write.
    ///
    /// - Parameters:
    ///   - range: the positions that it wrote.
    ///   - random: decides.
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
    /// The whole sectors in which the range lies; none for an empty range.
    fileprivate var sectors: Self {
        guard !isEmpty else { return self }
        let size = SparseBytes.sectorSize
        return lowerBound / size * size..<(upperBound + size - 1) / size * size
    }
}
