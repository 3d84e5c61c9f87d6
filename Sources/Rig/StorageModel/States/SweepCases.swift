internal import RigModel

/// The cases of a sweep over what a power cut can leave: each decides on one or two operations.
///
/// They are numbered, as there are about as many as the square of these; some leave the same state.
struct SweepCases: Sendable {
    /// What a case decides; operations by their place among the unsynced ones.
    enum Case: Sendable, Hashable {
        /// So many first operations are on the disk, and none after them.
        case prefix(Int)
        /// One operation is not on the disk, and all others are.
        case omission(Int)
        /// A part of one operation, by its number, is not on the disk, and everything else is.
        case tear(Int, Int)
        /// The first operations up to one are on the disk but for an earlier one.
        case pair(kept: Int, lost: Int)
    }

    enum Tear {
        /// A range of what it writes, in bytes of the file, by this unit.
        case data(Range<Int64>, Unit)
        case name(Int)
    }

    enum Unit: Sendable, Hashable { case sector, page, half }

    let operations: [UnsyncedOperation]
    private let disk: DiskModel
    let seed: UInt64
    private let tearsBefore: [Int]
    private var tears: Int { tearsBefore[operations.count] }

    /// The seed decides what a sector holds that was being written.
    init(of replay: StorageReplay, seed: UInt64) {
        operations = replay.unsynced
        disk = replay.disk
        self.seed = seed
        tearsBefore = operations.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.tears.count) }
    }

    var count: Int { 2 * operations.count + 1 + tears + pairs }

    /// Pairs in which the later operation is the last one are omissions.
    private var pairs: Int {
        let earlier = max(0, operations.count - 1)
        return earlier * max(0, earlier - 1) / 2
    }

    subscript(number: Int) -> Case {
        let most = operations.count
        if number <= most { return .prefix(most - number) }
        var rest = number - most - 1
        if rest < most { return .omission(rest) }
        rest -= most
        if rest < tears {
            // The last operation with at most so many tears before it that has any.
            let index = tearsBefore.lastIndex { $0 <= rest } ?? 0
            return .tear(index, rest - tearsBefore[index])
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
        case .tear(let index, let number): return 2 * most + 1 + tearsBefore[index] + number
        case .pair(let kept, let lost):
            if kept == most - 1 { return number(of: .omission(lost)) }
            return 2 * most + 1 + tears + kept * (kept - 1) / 2 + lost
        }
    }

    /// The decisions of a case, one set for each way in which a disk can come to it.
    func decisions(of one: Case) -> [[CrashDecision]] {
        switch one {
        case .prefix(let kept): return [lost(from: kept)]
        case .omission(let index): return operations[index].losses(on: disk)
        case .tear(let index, let number):
            let operation = operations[index]
            return operation.decisions(of: operation.tears[number], on: disk, noise: seed)
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
            return file != nil ? [omission, omission + [tail]] : [omission]
        }
        let isKept = CrashDecision(ordinal, .kept([]))
        guard disk.hasJournal else {
            return [[isKept], [isKept, CrashDecision(ordinal, .lengthOnly)]]
        }
        // What a file that is not synced yet had by then is on the disk.
        let overwriting = [isKept, CrashDecision(ordinal, .writtenBefore(to: .max))]
        // Blocks that were there keep what they held; new ones were never written, or the writing
        // had not come to them, or they were given to the file before.
        let unreached = CrashDecision(ordinal, .unreached(from: written.lowerBound))
        let zeros = disk.showsUnwritten ? [[isKept] + self.zeros] : []
        return [overwriting, omission, [isKept, unreached]] + zeros
    }

    /// The parts of it that can be missing alone: names, or by each unit parts of what it writes.
    ///
    /// There are none by a unit that would be the whole operation.
    var tears: [SweepCases.Tear] {
        guard let written else { return parts > 1 ? (0..<parts).map(SweepCases.Tear.name) : [] }
        func missing(_ parts: [Range<Int64>], _ unit: SweepCases.Unit) -> [SweepCases.Tear] {
            parts.count > 1 ? parts.map { .data($0, unit) } : []
        }
        let (all, size) = (written.sectors, SparseBytes.sectorSize)
        let sectors = all.units(of: size).map { ($0..<$0 + 1).bytes(of: size) }
        let pages = Block.touched(by: written).map { Block.bytes($0).clamped(to: all) }
        let middle = all.lowerBound + Int64(sectors.count / 2) * size
        // The halves of two sectors are these sectors.
        let halves = sectors.count > 2 ? [all.lowerBound..<middle, middle..<all.upperBound] : []
        return missing(sectors, .sector) + missing(pages, .page) + missing(halves, .half)
    }

    fileprivate func decisions(
        of tear: SweepCases.Tear, on disk: DiskModel, noise: UInt64
    ) -> [[CrashDecision]] {
        switch tear {
        case .name(let part):
            let isGone: CrashDecision.Effect =
                returned ? .uncommitted(part: part) : .notCarriedOut(part: part)
            return [[CrashDecision(ordinal, isGone)]]
        case .data(let missing, let unit):
            let kept = (written ?? missing).sectors.outside([missing])
            let torn = CrashDecision(
                ordinal,
                disk.spoilsSectors
                    ? .spoiled(kept: kept, sectors: [missing], noise: SplitMix64(seed: noise))
                    : .kept(kept))
            guard disk.hasJournal else { return [[torn]] }
            let overwriting = [torn, CrashDecision(ordinal, .writtenBefore(to: .max))]
            // New blocks come as a whole, and in order.
            guard unit != .sector else { return [overwriting] }
            let unreached = CrashDecision(ordinal, .unreached(from: missing.lowerBound))
            return [overwriting, [torn, unreached]]
        }
    }
}
