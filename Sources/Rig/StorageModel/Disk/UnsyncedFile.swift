internal import RigModel

/// A file on its way to the disk: its durable content, and the changes since.
struct UnsyncedFile: Sendable {
    struct Pending: Sendable {
        var change: FileChange
        /// Which operation of the program it is, from 1.
        var time: Int
        /// Its number among the entries of names and lengths; nil for data.
        var entry: Int?
        /// False for a call that may or may not have taken effect.
        var returned: Bool

        /// The same call with another change, such as a part of it.
        func with(_ change: FileChange) -> Self {
            var item = self
            item.change = change
            return item
        }
    }

    private struct Journalled {
        var changes: [FileChange]
        let before: SparseBytes

        mutating func drop(_ range: Range<Int64>) {
            changes = changes.flatMap { $0.outside([range]) }
        }
    }

    private(set) var synced = SparseBytes()
    /// The blocks of the durable content, without those that only read as zeros.
    private(set) var mapped: Set<Int64> = []
    /// The durable blocks that are reserved and hold nothing yet.
    private(set) var reserved: Set<Int64> = []
    private(set) var pending: [Pending] = []
    private(set) var length: Int64 = 0
    /// The blocks that hold something, or will once they are written to the disk.
    private var filled: Set<Int64> = []
    /// The attributes that a power cut can no longer take; nil for those of a new file.
    private var attributes: FileAttributes?
    private var attributesTime = 0
    /// What a failed sync made the kernel forget: a reader sees it, and no disk gets it unless its
    /// page is written again.
    private(set) var lost: [FileChange] = []
    /// What the last sync has written to the journal, if it may not reach its place.
    private var journalled: Journalled?
    private var lastWrite = 0
    /// The last operation that certainly changed the inode; 0 without any.
    private(set) var lastChange = 0
    /// The last that changed what fdatasync cares for: a length, or the blocks.
    private(set) var lastDataChange = 0

    mutating func note(changeAt time: Int, ofData: Bool) {
        lastChange = time
        if ofData { lastDataChange = time }
    }

    mutating func change(
        _ change: FileChange, at time: Int = 0, entry: Int? = nil, returned: Bool = true
    ) {
        let before = length
        let freed = change.givenBack(sizeBefore: before)
        if !freed.isEmpty { filled = filled.filter { !freed.contains($0) } }
        switch change {
        case .write(let bytes, let offset):
            lastWrite = time
            let range = offset..<offset + Int64(bytes.count)
            rewrite(Block.whole(range), at: time)
            length = max(length, range.upperBound)
            let blocks = Block.touched(by: range)
            // An overwriting changes no more than the time of the last change, and that only
            // where the clock has ticked since (`file_update_time` in fs/inode.c).
            if length > before || !blocks.allSatisfy(filled.contains) {
                note(changeAt: time, ofData: true)
            }
            filled.formUnion(blocks)
        case .resize(let new):
            (lastWrite, length) = (time, new)
            if new != before { note(changeAt: time, ofData: true) }
        case .clear:
            lastWrite = time
            note(changeAt: time, ofData: true)
        case .reserve: note(changeAt: time, ofData: true)
        case .writeOut: break
        case .attributes: note(changeAt: time, ofData: false)
        }
        if !change.removed.isEmpty {
            lost = lost.flatMap { $0.outside([change.removed]) }
            journalled?.drop(change.removed)
        }
        pending.append(Pending(change: change, time: time, entry: entry, returned: returned))
    }

    /// Makes completed changes durable: writes of a part of the file, all changes of its length, and
    /// for all but `dataOnly` those of attributes.
    ///
    /// A call that had not returned may still take effect, but not over what was made durable after
    /// it.
    mutating func sync(_ range: Range<Int64> = 0..<Int64.max, dataOnly: Bool = false) {
        var left: [Pending] = []
        for (index, item) in pending.enumerated() {
            if !item.returned {
                let later = pending[(index + 1)...].filter(\.returned)
                    .compactMap { $0.change.written?.clamped(to: range) }
                left += item.change.outside(later).map(item.with)
            } else if let written = item.change.written, written.clamped(to: range) != written {
                for part in item.change.inside([range]) { settle(part) }
                left += item.change.outside([range]).map(item.with)
            } else if dataOnly, case .attributes = item.change {
                left.append(item)
            } else {
                settle(item)
                let removed = item.change.removed
                guard !removed.isEmpty else { continue }
                left = left.flatMap { earlier in earlier.change.outside([removed]).map(earlier.with)
                }
            }
        }
        pending = left
    }

    /// Takes attributes as those with which the file came to be, at an operation.
    mutating func begin(with attributes: FileAttributes, at time: Int) {
        (self.attributes, attributesTime) = (attributes, time)
    }

    /// The attributes after some of the changes since; nil for those of a new file.
    func attributes(with isThere: (Pending) -> Bool = { _ in true }) -> FileAttributes? {
        var (found, time) = (attributes, attributesTime)
        for item in pending {
            if case .attributes(let new) = item.change, isThere(item) {
                (found, time) = (new, item.time)
            }
        }
        // A time that was set is gone once the file is written again.
        if time < lastWrite { found?.modified = nil }
        return found
    }

    private mutating func settle(_ item: Pending) {
        settle(item.change)
        if case .attributes(let new) = item.change { begin(with: new, at: item.time) }
    }

    private mutating func settle(_ change: FileChange) {
        let freed = change.givenBack(sizeBefore: synced.size)
        change.apply(to: &synced)
        let blocks = Block.touched(by: change.written ?? 0..<0)
        mapped.formUnion(blocks)
        reserved.subtract(blocks)
        if case .reserve(let range) = change {
            reserved.formUnion(Block.touched(by: range).filter { !mapped.contains($0) })
        }
        guard !freed.isEmpty else { return }
        mapped = mapped.filter { !freed.contains($0) }
        reserved = reserved.filter { !freed.contains($0) }
    }

    var cached: SparseBytes {
        (pending.map(\.change) + lost).reduce(into: synced) { $1.apply(to: &$0) }
    }

    /// The completed writes of a part of the file that are not synced, and not overwritten.
    func unsynced(in range: Range<Int64>) -> [FileChange] {
        pending.filter(\.returned).map(\.change).reduce(into: []) { found, change in
            let written = change.written
            found = found.flatMap { $0.outside([written ?? change.removed]) }
            if written != nil { found += change.inside([range]) }
        }
    }

    mutating func fail(
        _ failure: FailedSync, of range: Range<Int64>, on disk: DiskModel, at time: Int
    ) {
        switch failure {
        case .seen, .reverted: forget(range, isSeen: failure == .seen, on: disk, at: time)
        case .journalled:
            let (changes, before) = (unsynced(in: range), synced)
            sync()
            journalled = Journalled(changes: changes, before: before)
        case .late: loseJournalled()
        }
    }

    /// Takes writes for clean that have not reached the disk.
    private mutating func forget(
        _ range: Range<Int64>, isSeen: Bool, on disk: DiskModel, at time: Int
    ) {
        let forgotten = unsynced(in: range)
        let ranges = forgotten.compactMap(\.written)
        pending = pending.flatMap { item in
            item.returned ? item.change.outside([range]).map(item.with) : [item]
        }
        let blocks = Set(ranges.flatMap { Array(Block.touched(by: $0)) })
        filled.subtract(blocks.subtracting(mapped))
        guard isSeen else {
            length = cached.size
            return
        }
        lost += forgotten
        guard disk.showsUnwritten else { return }
        // When the writing begins, the blocks are the file's and the length is set, without the
        // data.
        var changes = ranges.map(FileChange.reserve)
        let size = pending.reduce(into: synced) { $1.change.apply(to: &$0) }.size
        if let end = ranges.map(\.upperBound).max(), end > size { changes.append(.resize(end)) }
        guard !changes.isEmpty else { return }
        pending += changes.map { Pending(change: $0, time: time, returned: true) }
        note(changeAt: time, ofData: true)
    }

    /// A page that is written again is written as a whole, with what was taken for clean in it.
    private mutating func rewrite(_ pages: Range<Int64>, at time: Int) {
        journalled?.drop(pages)
        guard !lost.isEmpty else { return }
        for change in lost.flatMap({ $0.inside([pages]) }) {
            pending.append(Pending(change: change, time: time, returned: true))
        }
        lost = lost.flatMap { $0.outside([pages]) }
    }

    /// What was written to the journal does not reach its place; what was written since is synced.
    private mutating func loseJournalled() {
        guard let journalled else { return sync() }
        for range in journalled.changes.compactMap(\.written) {
            for part in journalled.before.parts(of: range) {
                synced.write(Array(part.bytes), at: part.offset)
            }
        }
        lost += journalled.changes
        self.journalled = nil
        sync()
    }
}

extension FileChange {
    func apply(to content: inout SparseBytes) {
        switch self {
        case .write(let bytes, let offset): content.write(bytes, at: offset)
        case .resize(let length): content.resize(to: length)
        case .clear(let range): content.clear(range)
        case .reserve, .writeOut, .attributes: break
        }
    }
}

extension UnsyncedFile {
    /// One of the contents after a cut where nothing is promised but syncs.
    func afterCut(kept: (Int) -> Bool, using choices: inout Choices) -> SparseBytes {
        let odds = SurvivalOdds(using: &choices)
        var cached = synced
        var disk = synced
        var detached: [Range<Int64>] = []
        for item in pending {
            let sizeBefore = cached.size
            item.change.apply(to: &cached)
            if let range = item.change.written {
                let fate = odds.fate(of: range, at: item.time, using: &choices)
                for part in fate.sectors.flatMap({ $0.outside(detached) }) {
                    disk.take(part, from: cached)
                }
                let isWhole = range.outside(detached).last?.upperBound == range.upperBound
                // The length may be there without the data.
                if range.upperBound > disk.size, isWhole, choices.hasLengthOnly(item.time) {
                    disk.resize(to: range.upperBound)
                }
            } else if let entry = item.entry {
                if kept(entry), item.returned || choices.isCarriedOut(item.time) {
                    item.change.apply(to: &disk)
                } else {
                    let freed = item.change.givenBack(sizeBefore: sizeBefore)
                    if !freed.isEmpty { detached.append(Block.bytes(freed)) }
                    // The page with the zeros may be written without the length.
                    let tail = item.change.clearedTail(sizeBefore: sizeBefore)
                    if !tail.isEmpty, choices.clearsTail(item.time) {
                        for part in tail.outside(detached) { disk.clear(part) }
                    }
                }
            }
        }
        return disk
    }
}
