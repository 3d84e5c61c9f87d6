/// Saves the bytes of one request as they arrive (S1, S2).
///
/// Append, threshold check, save and mark are one serial unit (S4), which one thread at a time has:
/// no lock is needed.
final class IncrementalSaver {
    /// The most bytes in one row, which limits the memory that a reader needs.
    static let largestChunk = 1 << 20

    private let store: SQLiteChunkStore
    private let version: VideoVersion
    private let start: Int64
    private let lead: Int64
    private let schedule: any SaveSchedule
    private let observer: any RequestObserver
    private let phases: PhaseTracker
    private let buffer: RequestBuffer
    // Bytes passed to saves, and how many of them, from the start on, the store has accepted.
    private var saved: Int64 = 0
    private var acknowledged: Int64 = 0
    private var hasFailed = false

    /// The number of new bytes that this request has added to the cache.
    private(set) var storedBytes: Int64 = 0
    /// The number of saves that wrote something.
    private(set) var commits = 0

    /// The first new byte is at `start`, after `lead` bytes that are safe already.
    init(
        version: VideoVersion, start: Int64, lead: Int64 = 0, store: any ChunkStore,
        schedule: any SaveSchedule, observer: any RequestObserver, phases: PhaseTracker
    ) {
        (self.version, self.start, self.lead) = (version, start, lead)
        self.store = store.disk
        (self.schedule, self.observer, self.phases) = (schedule, observer, phases)
        buffer = RequestBuffer(capacity: schedule.capacity)
    }

    /// The position in the video up to which the request's bytes are saved.
    var savedEnd: Int64 { start + saved }
    var unsavedBytes: Int64 { Int64(buffer.count) }

    /// True as long as the store had room for everything to be saved (C6).
    var hadRoomForAll: Bool { acknowledged == saved }

    /// Appends bytes, and saves the unsaved ones when the schedule requires it (S1).
    func append(_ bytes: UnsafeRawBufferPointer) throws(CacheError) {
        var rest = bytes
        while !rest.isEmpty {
            let taken = buffer.append(rest)
            rest = UnsafeRawBufferPointer(rebasing: rest[taken...])
            if taken == 0 || schedule.shouldSave(unsaved: buffer.count) { try saveUnsaved() }
        }
    }

    /// Saves the remainder, if any (S2), but not after a failed save, which would fail again.
    func finish() throws(CacheError) {
        guard buffer.count > 0, !hasFailed else { return }
        try saveUnsaved()
    }

    private func saveUnsaved() throws(CacheError) {
        let resumed = phases.current
        let range = ByteRange(offset: start + saved, length: Int64(buffer.count))
        // Saving the remainder belongs to the request's end: completing or cancelling.
        if resumed == .receiving { phases.enter(.committing) }
        observer.willCommit(range)
        let stored: (bytes: Int64, isAll: Bool)
        do {
            stored = try save(chunks(at: range.offset))
        } catch {
            hasFailed = true
            throw error
        }
        if stored.isAll, acknowledged == saved { acknowledged += range.length }
        saved += range.length
        buffer.removeAll()
        storedBytes += stored.bytes
        commits += stored.bytes > 0 ? 1 : 0
        // Bytes that the store has no room for are not reported as committed (C6).
        if stored.isAll || stored.bytes > 0 {
            observer.committed(range, stored: stored.bytes, acknowledged: lead + acknowledged)
        }
        if store.checkpointIsDue {
            phases.enter(.checkpointing)
            try store.checkpoint()
        }
        phases.enter(resumed)
    }

    /// Saves the chunks in one transaction, or one by one if there is no room for all at once (C6).
    private func save(_ chunks: [Chunk]) throws(CacheError) -> (bytes: Int64, isAll: Bool) {
        do {
            try makeRoom(for: chunks)
            return (try version.save(chunks), true)
        } catch .noRoom {
            return try saveOneByOne(chunks)
        }
    }

    private func makeRoom(for chunks: [Chunk]) throws(CacheError) {
        let bytes = chunks.reduce(0) { $0 + $1.range.length }
        guard let video = version.video, try store.needsRoom(for: bytes) else { return }
        let resumed = phases.current
        phases.enter(.evicting)
        defer { phases.enter(resumed) }
        try store.makeRoom(for: chunks.map(\.range), of: video)
    }

    private func saveOneByOne(_ chunks: [Chunk]) throws(CacheError) -> (bytes: Int64, isAll: Bool) {
        try version.settle()
        var stored: (bytes: Int64, isAll: Bool) = (0, true)
        for chunk in chunks {
            do {
                if chunks.count > 1 { try makeRoom(for: [chunk]) }
                stored.bytes += try version.save([chunk])
            } catch .noRoom {
                stored.isAll = false
            }
        }
        return stored
    }

    private func chunks(at offset: Int64) -> [Chunk] {
        let bytes = buffer.bytes
        return stride(from: 0, to: bytes.count, by: Self.largestChunk).map { position in
            let end = min(position + Self.largestChunk, bytes.count)
            return Chunk(
                offset: offset + Int64(position),
                bytes: UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
        }
    }
}

/// Reports phases to the observer, but only when they change.
package final class PhaseTracker {
    private let observer: any CacheObserver
    private(set) var current: CachePhase

    package init(observer: any CacheObserver, current: CachePhase) {
        (self.observer, self.current) = (observer, current)
    }

    package func enter(_ phase: CachePhase) {
        guard phase != current else { return }
        current = phase
        observer.entered(phase)
    }
}
