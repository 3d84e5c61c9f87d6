internal import RigModel

/// One of the contents that a power cut can leave of a file, where a journal commits names and
/// lengths in order (``RigModel/DiskModel/hasJournal``).
///
/// The changes of the file are gone through in order. Up to the last commit, its blocks are in one
/// of these states; after it, only blocks that the file has on the disk can still be overwritten:
///
/// - mapped: on the disk, and the file's; what is written to it reaches the disk at any time;
/// - delayed: written to, and only in memory. When the kernel writes data by itself, it begins at
///   the start of the file (`mpage_prepare_extent_to_map` in fs/ext4/inode.c), so some first part
///   of the delayed blocks was written at some moment. It may have come before, and gone on from
///   there (`range_cyclic`), so that what was written over since is missing, and later blocks are
///   there;
/// - reserved: given to the file by fallocate, reads as zeros until it is written;
/// - unwritten: given to the file, its data not yet there: reads as zeros (``showsUnwritten``).
struct JournalledFile {
    private let disk: DiskModel
    private let committed: [UnsyncedFile.Pending]
    private var choices: Choices
    private let odds: SurvivalOdds
    private var cached: SparseBytes
    /// What is on the disk, whatever the length there.
    private var durable: SparseBytes
    private var size: Int64
    private var mapped: Set<Int64>
    private var reserved: Set<Int64>
    private var delayed: Set<Int64> = []
    private var unwritten: Set<Int64> = []
    private var filled: Set<Int64> = []
    /// Blocks given back after the last commit: what is written there goes to other blocks.
    private var detached: [Range<Int64>] = []
    /// The block with which the next writing begins, as far as any wait there.
    private var resumed: Int64 = 0

    /// Blocks that are written in one go: more of them are several requests to the disk.
    private static let run: Int64 = 256

    private init(
        _ file: UnsyncedFile, on disk: DiskModel, committed: [UnsyncedFile.Pending],
        _ choices: Choices
    ) {
        (self.disk, self.committed, self.choices) = (disk, committed, choices)
        odds = SurvivalOdds(using: &self.choices)
        (cached, durable, size) = (file.synced, file.synced, file.synced.size)
        (mapped, reserved) = (file.mapped, file.reserved)
    }

    /// - Parameter committed: the last operation of the program that the last commit holds.
    static func afterCut(
        of file: UnsyncedFile, on disk: DiskModel, committed: Int, using choices: inout Choices
    ) -> SparseBytes {
        guard !file.pending.isEmpty else { return file.synced }
        let held = Array(file.pending.prefix { $0.time <= committed })
        var walk = JournalledFile(file, on: disk, committed: held, choices)
        // The kernel writes by itself at two moments, at one, or never.
        let moments = walk.choices.writings(
            of: held.map(\.time), additions: additions(to: file, by: held, on: disk))
        for (index, item) in file.pending.enumerated() {
            if index < held.count {
                walk.commit(item)
                if index + 1 == moments.earlier { walk.writeBack(before: held[index + 1].time) }
                if index + 1 == moments.last { walk.writeBack() }
            } else {
                walk.lose(item)
            }
        }
        choices = walk.choices
        walk.durable.resize(to: walk.size)
        return walk.durable
    }

    /// After how many of the changes more waits to be written than before.
    private static func additions(
        to file: UnsyncedFile, by changes: [UnsyncedFile.Pending], on disk: DiskModel
    ) -> [Int] {
        var (known, size) = (file.mapped, file.synced.size)
        var found: [Int] = []
        for (index, item) in changes.enumerated() {
            let freed = item.change.givenBack(sizeBefore: size)
            if !freed.isEmpty { known = known.filter { !freed.contains($0) } }
            if case .resize(let new) = item.change { size = new }
            guard let range = item.change.written else { continue }
            let blocks = Block.touched(by: range)
            let isNew = !blocks.allSatisfy(known.contains)
            if isNew { known.formUnion(blocks) }
            // A length that comes with its data waits for it.
            if isNew || !disk.showsUnwritten && range.upperBound > size { found.append(index + 1) }
            size = max(size, range.upperBound)
        }
        return found
    }

    private mutating func commit(_ item: UnsyncedFile.Pending) {
        guard item.change.written != nil || item.returned || choices.isCarriedOut(item.time) else {
            return detach(item.change)
        }
        let before = cached.size
        item.change.apply(to: &cached)
        switch item.change {
        case .write: write(item.change.written ?? 0..<0, at: item.time, before: before)
        case .resize(let new):
            // Data between the old length and the new one is written before the length is set
            // (`xfs_setattr_size`).
            if disk == .xfs, size < before, new > size { writeBack(upTo: new) }
            free(item.change.givenBack(sizeBefore: before))
            size = new
            // The zeros that follow are ordered before the commit (`ext4_block_truncate_page`).
            if new < before { durable.resize(to: min(new, durable.size)) }
        case .clear(let range):
            free(item.change.givenBack(sizeBefore: before))
            overwrite(range, at: item.time)
        case .reserve(let range):
            let new = Block.touched(by: range).filter {
                !mapped.contains($0) && !delayed.contains($0) && !unwritten.contains($0)
            }
            reserved.formUnion(new)
        case .writeOut:
            // `ext4_alloc_da_blocks` returns at once where no block is delayed.
            if disk.writesOutReplacements, !delayed.isEmpty { writeBack(upTo: .max) }
        case .attributes: break
        }
    }

    private mutating func write(_ range: Range<Int64>, at time: Int, before: Int64) {
        for block in Block.touched(by: range)
        where !mapped.contains(block) && !unwritten.contains(block) {
            if reserved.contains(block) { filled.insert(block) } else { delayed.insert(block) }
        }
        // A write is made page by page.
        for block in Block.touched(by: range)
        where disk.growsBeforeData && (mapped.contains(block) || unwritten.contains(block)) {
            let end = min(range.upperBound, Block.bytes(block).upperBound)
            if end > before { size = max(size, end) }
        }
        overwrite(range, at: time)
    }

    private mutating func free(_ blocks: Range<Int64>) {
        guard !blocks.isEmpty else { return }
        durable.clear(Block.bytes(blocks))
        for set in [\Self.mapped, \.reserved, \.delayed, \.unwritten, \.filled] {
            self[keyPath: set] = self[keyPath: set].filter { !blocks.contains($0) }
        }
    }

    /// What is to be written, in the order in which the kernel does it.
    private var waiting: [Int64] {
        var waiting = delayed.union(filled)
        // A length that comes with its data needs a write of blocks that were there before, too.
        if !disk.showsUnwritten, size < cached.size {
            waiting.formUnion(Block.touched(by: size..<cached.size).filter(mapped.contains))
        }
        let sorted = waiting.sorted()
        return sorted.filter { $0 >= resumed } + sorted.filter { $0 < resumed }
    }

    /// The kernel writes some first part of what is to be written, or all of it.
    private mutating func writeBack() {
        let (waiting, committed) = (self.waiting, self.committed)
        let count = choices.reach(waiting, from: resumed, of: committed.map(\.time)) {
            Self.writers(of: $0..<$0 + 1, in: committed).last
        }
        writeBack(waiting.prefix(count), of: waiting.count)
    }

    /// The kernel writes before an operation, and does so once more later: this data is there then.
    private mutating func writeBack(before operation: Int) {
        let waiting = self.waiting
        let written = waiting.prefix(choices.earlierReach(waiting, before: operation))
        writeBack(written, of: waiting.count, isThere: true)
        guard let last = written.last else { return }
        resumed = disk.rewinds && written.count == waiting.count ? 0 : last + 1
    }

    private mutating func writeBack(
        _ blocks: ArraySlice<Int64>, of count: Int, isThere: Bool? = nil
    ) {
        let end = blocks.max().map { Block.bytes($0).upperBound } ?? 0
        let isAll = blocks.count == count
        writeBack(Array(blocks), upTo: isAll ? Int64.max : end, isThere: isThere)
    }

    private static func writers(
        of blocks: Range<Int64>, in changes: [UnsyncedFile.Pending]
    ) -> [Int] {
        changes.filter { item in
            item.change.written.map { Block.touched(by: $0).overlaps(blocks) } ?? false
        }.map(\.time)
    }

    private mutating func writeBack(upTo end: Int64) {
        writeBack(waiting.filter { $0 * Block.size < end }, upTo: end)
    }

    private mutating func writeBack(_ blocks: [Int64], upTo end: Int64, isThere: Bool? = nil) {
        let new = blocks.filter { delayed.contains($0) || filled.contains($0) }.sorted()
        var reached = min(cached.size, end)
        if disk.showsUnwritten {
            for run in Self.runs(of: new) { submit(run, isThere: isThere) }
            if let last = new.last {
                size = max(size, min(cached.size, Block.bytes(last).upperBound))
            }
            return
        }
        // The length goes on over reserved blocks, which read as zeros
        // (`btrfs_inode_safe_disk_i_size_write` in fs/btrfs/file-item.c).
        while disk == .btrfs, reached < cached.size, reserved.contains(reached / Block.size) {
            reached = min(cached.size, (reached / Block.size + 1) * Block.size)
        }
        for block in new { map(block) }
        guard reached > size else { return }
        // The length comes with the data up to it.
        for block in blocks where mapped.contains(block) {
            if Block.bytes(block).overlaps(size..<reached) {
                durable.take(Block.bytes(block), from: cached)
            }
        }
        size = reached
    }

    /// The blocks belong to the file from now on; their data comes now or too late.
    private mutating func submit(_ run: [Int64], isThere known: Bool?) {
        guard let first = run.first, let last = run.last else { return }
        let committed = committed
        let isThere =
            known
            ?? choices.isThere(
                Block.bytes(first..<last + 1),
                of: Self.writers(of: first..<last + 1, in: committed))
        for block in run {
            if isThere { map(block) } else { unwritten.insert(block) }
            for set in [\Self.delayed, \.filled, \.reserved] { self[keyPath: set].remove(block) }
        }
    }

    private mutating func map(_ block: Int64) {
        durable.take(Block.bytes(block), from: cached)
        for set in [\Self.delayed, \.filled, \.reserved] { self[keyPath: set].remove(block) }
        mapped.insert(block)
    }

    private static func runs(of blocks: [Int64]) -> [[Int64]] {
        blocks.reduce(into: []) { runs, block in
            if let last = runs.last, last.last == block - 1, last.count < run {
                runs[runs.count - 1].append(block)
            } else {
                runs.append([block])
            }
        }
    }

    private mutating func lose(_ item: UnsyncedFile.Pending) {
        let before = cached.size
        item.change.apply(to: &cached)
        switch item.change {
        case .write:
            if !disk.copiesOnWrite { overwrite(item.change.written ?? 0..<0, at: item.time) }
        case .resize:
            detach(item.change, before: before)
            guard !disk.copiesOnWrite else { return }
            let tail = item.change.clearedTail(sizeBefore: before)
            // The page with the zeros may be written before the length is.
            if !tail.isEmpty, choices.clearsTail(item.time) {
                for part in tail.outside(detached) { durable.clear(part) }
            }
        case .clear(let range):
            detach(item.change, before: before)
            if !disk.copiesOnWrite { overwrite(range, at: item.time) }
        case .reserve, .writeOut, .attributes: break
        }
    }

    private mutating func detach(_ change: FileChange, before: Int64 = .max) {
        let freed = change.givenBack(sizeBefore: before)
        guard !freed.isEmpty else { return }
        detached.append(Block.bytes(freed))
    }

    /// What was written to blocks that the file has on the disk is there, missing or torn.
    private mutating func overwrite(_ range: Range<Int64>, at time: Int) {
        let range = disk.copiesOnWrite ? Block.whole(range) : range
        guard Block.touched(by: range).contains(where: mapped.contains) else { return }
        let fate =
            choices.aim.map {
                .init(
                    of: range, cached, toward: $0,
                    by: disk.copiesOnWrite ? Block.size : SparseBytes.sectorSize)
            } ?? odds.fate(of: range, at: time, using: &choices)
        var parts = fate.sectors
        if disk.copiesOnWrite {
            let blocks = Set(parts.flatMap { Array(Block.touched(by: $0)) })
            parts = blocks.sorted().map { Block.bytes($0) }
        }
        for part in onDisk(parts) { durable.take(part, from: cached) }
        guard disk.spoilsSectors else { return }
        for part in onDisk(fate.underWay) {
            // The physical sector: what lies beside the write is spoiled as well.
            for block in Block.touched(by: part) {
                let bytes = Block.bytes(block).clamped(to: 0..<max(durable.size, size))
                durable.write(bytes.map { _ in choices.byte() }, at: bytes.lowerBound)
            }
        }
    }

    private func onDisk(_ ranges: [Range<Int64>]) -> [Range<Int64>] {
        ranges.flatMap { range -> [Range<Int64>] in
            Block.touched(by: range).filter(mapped.contains)
                .flatMap { Block.bytes($0).clamped(to: range).outside(detached) }
        }
    }
}
