internal import RigModel
internal import SyscallTracer

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
    private let disk: DiskModel

    private static let keptChances = [0, 0.05, 0.5, 0.95, 1]
    private static let tornChances = [0, 0.05, 0.5]

    /// What happens to a write.
    struct Fate: Equatable {
        /// The sectors that reach the disk, as aligned runs in order.
        var sectors: [Range<Int64>]
        /// True when the file grows to the write's end even if its data is missing.
        var growsAnyway: Bool
        /// The sectors that the disk was writing when the power failed.
        var garbage: [Range<Int64>] = []
    }

    /// Draws the odds for a file on a disk.
    init(of disk: DiskModel, using random: inout SplitMix64) {
        self.disk = disk
        kept = Self.keptChances.randomElement(using: &random) ?? 0.5
        torn = Self.tornChances.randomElement(using: &random) ?? 0.5
    }

    /// Decides what happens to a write.
    ///
    /// - Parameters:
    ///   - range: the positions that it wrote.
    ///   - isFlushed: true for a write that is certain to be on the disk.
    ///   - random: the source of randomness.
    /// - Returns: the sectors that reach the disk, each of them whole.
    func fate(
        of range: Range<Int64>, isFlushed: Bool, using random: inout SplitMix64
    ) -> Fate {
        let sectors = range.sectors
        let all = sectors.isEmpty ? [] : [sectors]
        if isFlushed { return Fate(sectors: all, growsAnyway: false) }
        let isTorn = random.unit() < torn
        let isKept = random.unit() < kept
        // ext4 writes a length after the data up to it.
        let growsAnyway = random.unit() < 0.25 && disk != .ext4
        guard isTorn else { return Fate(sectors: isKept ? all : [], growsAnyway: growsAnyway) }
        var fate = Fate(sectors: [], growsAnyway: growsAnyway)
        for start in stride(
            from: sectors.lowerBound, to: sectors.upperBound, by: Int(SparseBytes.sectorSize))
        {
            let sector = start..<start + SparseBytes.sectorSize
            if random.next() & 1 == 1 {
                fate.sectors.add(sector)
            } else if disk == .garbage, random.next() & 1 == 1 {
                fate.garbage.add(sector)
            }
        }
        return fate
    }
}

extension [Range<Int64>] {
    /// Adds a sector that lies behind all others.
    fileprivate mutating func add(_ sector: Range<Int64>) {
        if let last, last.upperBound == sector.lowerBound {
            self[count - 1] = last.lowerBound..<sector.upperBound
        } else {
            append(sector)
        }
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
