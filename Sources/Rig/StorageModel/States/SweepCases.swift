internal import RigModel

/// The cases of a sweep over what a power cut can leave: each decides on one or two operations.
///
/// They are numbered, because there are about as many as the square of the operations. Some leave
/// the same state as others, and some none that the disk allows, such as a name without an earlier
/// one where a journal keeps their order.
struct SweepCases: Sendable {
    /// What a case decides; operations by their place among the unsynced ones.
    enum Case: Sendable, Hashable {
        /// So many first operations are on the disk, and none after them.
        case prefix(Int)
        /// One operation is not on the disk, and all others are.
        case omission(Int)
        /// A part of one operation is not on the disk, and everything else is.
        case tear(Int, Tear)
        /// The first operations up to one are on the disk but for an earlier one.
        case pair(kept: Int, lost: Int)
    }

    /// What is missing of a torn operation.
    enum Tear: Sendable, Hashable {
        /// A range of what it writes, in bytes of the file, by this unit.
        case data(Range<Int64>, Unit)
        /// One of several names, by its number.
        case name(Int)
    }

    enum Unit: Int, Sendable, Hashable, CaseIterable { case sector, page, half }

    let operations: [UnsyncedOperation]
    private let disk: DiskModel
    private let seed: UInt64
    /// How many tears there are of all operations before each, and of all.
    private let tearsBefore: [Int]
    private var tears: Int { tearsBefore[operations.count] }

    /// The cases of what a replay has not synced.
    ///
    /// - Parameter seed: decides what a sector holds that was being written.
    init(of replay: StorageReplay, seed: UInt64) {
        operations = replay.unsynced
        disk = replay.disk
        self.seed = seed
        tearsBefore = operations.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.tearCount) }
    }

    var count: Int { 2 * operations.count + 1 + tears + pairs }

    /// Pairs in which the later operation is the last one are omissions.
    private var pairs: Int {
        let earlier = max(0, operations.count - 1)
        return earlier * max(0, earlier - 1) / 2
    }

    /// The case with a number, from 0.
    subscript(number: Int) -> Case {
        let most = operations.count
        if number <= most { return .prefix(most - number) }
        var rest = number - most - 1
        if rest < most { return .omission(rest) }
        rest -= most
        if rest < tears {
            // The last operation with at most so many tears before it that has any.
            let index = tearsBefore.partitioningIndex { $0 > rest } - 1
            return .tear(index, operations[index].tear(rest - tearsBefore[index]))
        }
        rest -= tears
        var kept = Int((1 + (1 + 8 * Double(rest)).squareRoot()) / 2)
        while kept * (kept - 1) / 2 > rest { kept -= 1 }
        while (kept + 1) * kept / 2 <= rest { kept += 1 }
        return .pair(kept: kept, lost: rest - kept * (kept - 1) / 2)
    }

    /// The number of a case; of a pair whose later operation is the last one, that of the omission.
    func number(of one: Case) -> Int {
        let most = operations.count
        switch one {
        case .prefix(let kept): return most - kept
        case .omission(let index): return most + 1 + index
        case .tear(let index, let tear):
            return 2 * most + 1 + tearsBefore[index] + operations[index].number(of: tear)
        case .pair(let kept, let lost):
            if kept == most - 1 { return number(of: .omission(lost)) }
            return 2 * most + 1 + tears + kept * (kept - 1) / 2 + lost
        }
    }

    // MARK: - What a case decides

    /// The decisions of a case, one set for each way in which a disk can come to it.
    func decisions(of one: Case) -> [[CrashDecision]] {
        switch one {
        case .prefix(let kept): return [lost(from: kept)]
        case .omission(let index): return operations[index].losses(on: disk)
        case .tear(let index, let tear):
            return operations[index].decisions(of: tear, on: disk, noise: seed)
        case .pair(let kept, let lost):
            let isOrdered = disk.hasJournal && operations[lost].isOfJournal
            if isOrdered, operations[kept].written == nil { return [] }
            let later = self.lost(from: kept + 1)
            return operations[lost].losses(on: disk).map { $0 + later }
        }
    }

    private func lost(from index: Int) -> [CrashDecision] {
        operations[index...].flatMap(\.omissionWithAllLater)
    }
}

extension UnsyncedOperation {
    /// Whether it is committed in the order of all names and lengths, where there is a journal.
    fileprivate var isOfJournal: Bool { written == nil && returned }

    /// The ways in which it can be missing while later operations are there.
    fileprivate func losses(on disk: DiskModel) -> [[CrashDecision]] {
        guard let written else {
            let tail = CrashDecision(ordinal, .tailCleared)
            return disk.hasJournal && file != nil ? [omission, omission + [tail]] : [omission]
        }
        let overwriting = CrashDecision(ordinal, .kept([]))
        guard disk.hasJournal else {
            return [[overwriting], [overwriting, CrashDecision(ordinal, .lengthOnly)]]
        }
        // Blocks that were there keep what they held; new ones were never written, or the writing
        // had not come to them, or they were given to the file before.
        let unreached = CrashDecision(ordinal, .unreached(from: written.lowerBound))
        let zeros = disk.showsUnwritten ? [[overwriting] + self.zeros] : []
        return [[overwriting], omission, [overwriting, unreached]] + zeros
    }

    // MARK: - Tears

    private var sectors: Range<Int64> { units(of: SparseBytes.sectorSize) }
    private var pages: Range<Int64> { units(of: Block.size) }

    private func units(of size: Int64) -> Range<Int64> {
        guard let written, !written.isEmpty else { return 0..<0 }
        return written.lowerBound / size..<(written.upperBound + size - 1) / size
    }

    /// How many tears there are of a unit: none where that would be the whole operation.
    private func count(of unit: SweepCases.Unit) -> Int {
        switch unit {
        case .sector: sectors.count > 1 ? sectors.count : 0
        case .page: pages.count > 1 ? pages.count : 0
        // The halves of two sectors are these sectors.
        case .half: sectors.count > 2 ? 2 : 0
        }
    }

    /// How many single tears there are of it.
    fileprivate var tearCount: Int {
        written == nil
            ? (parts > 1 ? parts : 0)
            : SweepCases.Unit.allCases.reduce(0) { $0 + count(of: $1) }
    }

    /// The tear with a number, from 0.
    fileprivate func tear(_ number: Int) -> SweepCases.Tear {
        guard written != nil else { return .name(number) }
        var rest = number
        for unit in SweepCases.Unit.allCases {
            if rest < count(of: unit) { return .data(missing(rest, unit), unit) }
            rest -= count(of: unit)
        }
        return .name(rest)
    }

    /// The number of a tear, from 0.
    fileprivate func number(of tear: SweepCases.Tear) -> Int {
        switch tear {
        case .name(let part): return part
        case .data(_, let unit):
            let first = SweepCases.Unit.allCases.prefix { $0 != unit }.reduce(0) {
                $0 + count(of: $1)
            }
            return (first..<first + count(of: unit)).first { self.tear($0) == tear } ?? first
        }
    }

    /// The first tear by each unit; those of names are all.
    var firstTears: [SweepCases.Tear] {
        guard written != nil else { return (0..<tearCount).map(SweepCases.Tear.name) }
        return SweepCases.Unit.allCases.filter { count(of: $0) > 0 }
            .map { .data(missing(0, $0), $0) }
    }

    private func missing(_ number: Int, _ unit: SweepCases.Unit) -> Range<Int64> {
        let size = SparseBytes.sectorSize
        let all = sectors.lowerBound * size..<sectors.upperBound * size
        switch unit {
        case .sector:
            let start = all.lowerBound + Int64(number) * size
            return start..<start + size
        case .page: return Block.bytes(pages.lowerBound + Int64(number)).clamped(to: all)
        case .half:
            let middle = all.lowerBound + Int64(sectors.count / 2) * size
            return number == 0 ? all.lowerBound..<middle : middle..<all.upperBound
        }
    }

    /// The decisions of a tear, one set for each way in which a disk can come to it.
    fileprivate func decisions(
        of tear: SweepCases.Tear, on disk: DiskModel, noise: UInt64
    ) -> [[CrashDecision]] {
        switch tear {
        case .name(let part):
            let isGone: CrashDecision.Effect =
                returned ? .uncommitted(part: part) : .notCarriedOut(part: part)
            return [[CrashDecision(ordinal, isGone)]]
        case .data(let missing, let unit):
            let size = SparseBytes.sectorSize
            let all = sectors.lowerBound * size..<sectors.upperBound * size
            let kept = all.outside([missing])
            let torn = CrashDecision(
                ordinal,
                disk.spoilsSectors
                    ? .spoiled(kept: kept, sectors: [missing], noise: SplitMix64(seed: noise))
                    : .kept(kept))
            // New blocks come as a whole, and in order.
            guard disk.hasJournal, unit != .sector else { return [[torn]] }
            return [[torn], [torn, CrashDecision(ordinal, .unreached(from: missing.lowerBound))]]
        }
    }
}

extension [Int] {
    /// The first place of a sorted list at which something is so.
    fileprivate func partitioningIndex(where isSo: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isSo(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
