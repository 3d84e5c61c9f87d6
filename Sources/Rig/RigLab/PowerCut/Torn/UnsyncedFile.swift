internal import RigModel
internal import SyscallTracer

/// What a system call does to a file's content.
enum FileChange: Sendable, Equatable {
    /// Bytes at their place: data, which reaches the disk by sectors, at any time.
    case write([UInt8], at: Int64)
    /// A new length that was set explicitly.
    case resize(Int64)
    /// A range that reads as zeros from now on, without any data being written.
    case clear(Range<Int64>)

    /// True when the change goes through the journal, in order, and not through data blocks.
    var isJournalled: Bool {
        if case .write = self { false } else { true }
    }
}

extension SparseBytes {
    /// Fills a range with garbage; the length stays.
    fileprivate mutating func spoil(_ range: Range<Int64>, using random: inout SplitMix64) {
        guard !range.isEmpty else { return }
        write(
            range.map { _ in UInt8(truncatingIfNeeded: random.next() >> 24) }, at: range.lowerBound)
    }
}

/// A file on its way to the disk: its durable content, and the changes since.
struct UnsyncedFile: Sendable {
    private struct Pending {
        var change: FileChange
        /// Its number among the journal's entries; nil for data.
        var entry: Int?
        /// How many entries the journal had before it.
        var entriesBefore: Int
        /// False for a call that may or may not have taken effect.
        var returned: Bool

        /// The same call with another change, such as a part of it.
        func with(_ change: FileChange) -> Self {
            var item = self
            item.change = change
            return item
        }
    }

    /// What a power cut can no longer take.
    private(set) var synced = SparseBytes()
    private var pending: [Pending] = []
    /// How many of the pending changes are on the disk if an entry of the journal is.
    private var flushes: [(count: Int, entry: Int)] = []
    /// The length that a reader sees.
    private(set) var length: Int64 = 0

    /// A file whose content is all durable.
    init(synced: SparseBytes = SparseBytes()) {
        self.synced = synced
        length = synced.size
    }

    /// Records a change that is not synced.
    ///
    /// - Parameters:
    ///   - change: the change.
    ///   - entry: its number in the journal, for a change that the journal carries.
    ///   - entriesBefore: how many entries the journal has before it.
    ///   - returned: false when its call had not returned.
    mutating func change(
        _ change: FileChange, entry: Int? = nil, entriesBefore: Int = 0, returned: Bool = true
    ) {
        switch change {
        case .write(let bytes, let offset): length = max(length, offset + Int64(bytes.count))
        case .resize(let new): length = new
        case .clear: break
        }
        pending.append(
            Pending(
                change: change, entry: entry, entriesBefore: entriesBefore, returned: returned))
    }

    /// Notes that an entry of the journal reaches the disk only after the changes so far.
    mutating func flush(with entry: Int) { flushes.append((pending.count, entry)) }

    /// Makes completed changes durable.
    ///
    /// A call that had not returned may still take effect, but not over what was written after it.
    mutating func sync() {
        var left: [Pending] = []
        for (index, item) in pending.enumerated() {
            if item.returned {
                Self.apply(item.change, to: &synced)
            } else {
                let later = pending[(index + 1)...].filter(\.returned).compactMap(\.change.written)
                left += item.change.outside(later).map(item.with)
            }
        }
        pending = left
        flushes = []
    }

    /// Makes completed writes of a part of the file durable, and all completed changes of its
    /// length: msync of a range, or a write with O_DSYNC.
    ///
    /// Other data stays as it was, also that of the same write.
    mutating func sync(_ range: Range<Int64>) {
        var left: [(index: Int, item: Pending)] = []
        for (index, item) in pending.enumerated() {
            var changes = [item.change]
            if !item.returned {
                // It may still take effect, but not over what was made durable after it.
                let later = pending[(index + 1)...].filter(\.returned)
                    .compactMap { $0.change.written?.clamped(to: range) }
                changes = item.change.outside(later)
            } else if let written = item.change.written {
                for part in item.change.outside(written.outside([range])) {
                    Self.apply(part, to: &synced)
                }
                changes = item.change.outside([range])
            } else {
                Self.apply(item.change, to: &synced)
                changes = []
                let removed = item.change.removed
                left = left.flatMap { index, earlier in
                    earlier.change.outside([removed]).map { (index, earlier.with($0)) }
                }
            }
            left += changes.map { (index, item.with($0)) }
        }
        pending = left.map(\.item)
        flushes = flushes.map { flush in
            (left.count { $0.index < flush.count }, flush.entry)
        }
    }

    /// What a reader sees.
    var cached: SparseBytes {
        pending.reduce(into: synced) { Self.apply($1.change, to: &$0) }
    }

    /// One of the contents that a power cut can leave.
    ///
    /// - Parameters:
    ///   - model: what the disk may do.
    ///   - kept: whether the entry of the journal with a number reaches the disk.
    ///   - random: decides what happens to each change.
    /// - Returns: the content after the cut.
    func afterCut(
        on model: DiskModel, kept: (Int) -> Bool, using random: inout SplitMix64
    ) -> SparseBytes {
        let odds = SurvivalOdds(of: model, using: &random)
        let flushed = flushes.last { kept($0.entry) }?.count ?? 0
        var cached = synced
        var disk = synced
        var detached: [Range<Int64>] = []
        for (index, item) in pending.enumerated() {
            let sizeBefore = cached.size
            Self.apply(item.change, to: &cached)
            if case .write(let bytes, let offset) = item.change {
                let range = offset..<offset + Int64(bytes.count)
                let fate = odds.fate(of: range, isFlushed: index < flushed, using: &random)
                let mayGrow = item.entriesBefore == 0 || kept(item.entriesBefore - 1)
                let sectors =
                    model == .ext4
                    ? fate.sectors.growing(from: disk.size, with: range, mayGrow) : fate.sectors
                for part in sectors.flatMap({ $0.outside(detached) }) {
                    disk.take(part, from: cached)
                }
                if fate.growsAnyway, range.outside(detached).last?.upperBound == range.upperBound {
                    let end = disk.size
                    disk.resize(to: max(disk.size, range.upperBound))
                    if model == .garbage { disk.spoil(end..<disk.size, using: &random) }
                }
                for sector in fate.garbage.flatMap({ $0.outside(detached) }) {
                    disk.spoil(sector.clamped(to: 0..<disk.size), using: &random)
                }
            } else if kept(item.entry ?? 0), item.returned || random.next() & 1 == 1 {
                Self.apply(item.change, to: &disk)
            } else {
                detached += item.change.givenBack(sizeBefore: sizeBefore)
            }
        }
        return disk
    }

    private static func apply(_ change: FileChange, to content: inout SparseBytes) {
        switch change {
        case .write(let bytes, let offset): content.write(bytes, at: offset)
        case .resize(let length): content.resize(to: length)
        case .clear(let range): content.clear(range)
        }
    }
}

extension FileChange {
    /// The range that it writes; nil for a change that writes no data.
    fileprivate var written: Range<Int64>? {
        guard case .write(let bytes, let offset) = self else { return nil }
        return offset..<offset + Int64(bytes.count)
    }

    /// The range whose earlier bytes it takes away; empty for a write.
    fileprivate var removed: Range<Int64> {
        switch self {
        case .write: 0..<0
        case .resize(let length): length..<Int64.max
        case .clear(let range): range
        }
    }

    /// What remains of it when some ranges were written after it.
    fileprivate func outside(_ ranges: [Range<Int64>]) -> [Self] {
        guard case .write(let bytes, let offset) = self, let written else { return [self] }
        return written.outside(ranges).map { part in
            let first = Int(part.lowerBound - offset)
            return .write(Array(bytes[first..<first + part.count]), at: part.lowerBound)
        }
    }

    /// The ranges whose blocks went back to the file system.
    ///
    /// What is written there afterwards lies in new blocks, which the inode refers to only through
    /// the journal entry: where that is lost, so is the data.
    fileprivate func givenBack(sizeBefore: Int64) -> [Range<Int64>] {
        let block: Int64 = 4096
        func roundedUp(_ offset: Int64) -> Int64 { (offset + block - 1) / block * block }
        switch self {
        case .write: return []
        case .resize(let length): return length < sizeBefore ? [roundedUp(length)..<Int64.max] : []
        case .clear(let range):
            let lower = roundedUp(range.lowerBound)
            let upper = range.upperBound / block * block
            return lower < upper ? [lower..<upper] : []
        }
    }
}

extension [Range<Int64>] {
    /// The sectors of a write that reach the disk of an ext4, where the file had a size.
    ///
    /// There a length is on the disk after the data up to it, by whole pages, and after all earlier
    /// changes of names and lengths, which are in an earlier transaction or the same.
    fileprivate func growing(
        from size: Int64, with write: Range<Int64>, _ mayGrow: Bool
    ) -> [Range<Int64>] {
        let page: Int64 = 4096
        var parts = map { $0.clamped(to: 0..<size) }
        var start = Swift.max(write.lowerBound, size)
        while mayGrow, start < write.upperBound {
            let next = (start / page + 1) * page
            if contains(where: { $0.contains(start) }) { parts.append(start..<next) }
            start = next
        }
        return parts.filter { !$0.isEmpty }
    }
}

extension Range<Int64> {
    /// What remains of the range when others are removed from it, in order.
    fileprivate func outside(_ others: [Self]) -> [Self] {
        others.reduce([self]) { parts, other in
            parts.flatMap { part -> [Self] in
                guard part.overlaps(other) else { return [part] }
                var rest: [Self] = []
                if part.lowerBound < other.lowerBound {
                    rest.append(part.lowerBound..<other.lowerBound)
                }
                if other.upperBound < part.upperBound {
                    rest.append(other.upperBound..<part.upperBound)
                }
                return rest
            }
        }
    }
}
