internal import Synchronization

/// Reads one range of one version of a video, from its start to its end.
///
/// It returns verified bytes only: from the cache those with a correct checksum (C5), from the
/// network those of a response with the expected validator, `Content-Range` and length. A reader
/// never sees bytes of two versions.
public final class VideoReader: Sendable {
    // Used only by the reading thread.
    private struct Memory {
        var chunk: StoredChunk?
        var ahead = ChunksAhead()
        // The cached range that the store last reported; it may have been evicted since.
        var cached: ByteRange?
        var prefetched: Int64 = -1
        var hasLooked = false
        var hold: ReaderHold?
        var heldVideo: Int64?
    }

    /// The next byte is not cached, so that a thread has to wait for it.
    private struct MustWait: Error {}

    // Other writers may save and evict at the same place. Without a limit, a store that reports a
    // chunk as sound but cannot return its bytes would be retried for ever.
    private static let mostRepairs = 8

    private let loader: VideoLoader
    private let session: VideoSession
    private let number: Int
    // False if the origin was asked already, where that was needed.
    private let asks: Bool
    private let isOpen = Atomic(false)
    // What it was handed, for the observer; apart from the memory, which is locked while it waits.
    private let reading = Mutex(Reading(reader: 0))
    private let cancellation = Cancellation()
    private let memory = Mutex(Memory())

    init(loader: VideoLoader, session: VideoSession, number: Int, asks: Bool) {
        (self.loader, self.session, self.number, self.asks) = (loader, session, number, asks)
    }

    deinit {
        let cancelled = session.removeReader(number)
        var reading = reading.withLock(\.self)
        reading.cancelledRequests += cancelled
        // A look at what is there at once may have found nothing, and another reader goes on.
        if reading != Reading(reader: reading.reader) {
            loader.observer.left(reading, of: session.url)
        }
    }

    /// Binds the reader to the version that is known, before its first work, as that needs the
    /// disk.
    ///
    /// A video that is cleared or replaced has its bytes freed; only where a process is killed in
    /// between, a reader that does not wait may find them for a moment.
    func open(waiting: Bool = true) {
        guard !isOpen.exchange(true, ordering: .acquiringAndReleasing) else { return }
        reading.withLock { $0.reader = loader.nextReader() }
        let time: Duration = waiting ? .zero : .milliseconds(100)
        // If the store fails here, the reader's first lookup fails too, and reports it.
        guard (try? session.refresh(unlessSeenWithin: time)) != nil else { return }
        session.bindIfKnown(number, ifFresh: asks && waiting)
    }

    /// Does work that waits for bytes, on a thread of ``BlockingThreads``, one task at a time;
    /// cancelling the task cancels the reader, and ends the work with a `CancellationError`.
    package func value<Value: Sendable>(
        _ work: @escaping @Sendable (VideoReader) throws -> Value
    ) async throws -> Value {
        try await BlockingThreads.shared.value(onCancel: { self.cancel() }) {
            self.open()
            return try work(self)
        }
    }

    /// Does work with bytes that are there, on the calling thread; nil if that has to wait for
    /// bytes, or for a save: of what waits, it may only use ``lend(limit:waiting:to:)``.
    package func withoutWaiting<Value>(_ work: (VideoReader) throws -> Value) throws -> Value? {
        guard loader.isQuiet else { return nil }
        open(waiting: false)
        do {
            return try work(self)
        } catch is MustWait {
            return nil
        }
    }

    /// What is known about the reader's version, without waiting; nil if nothing is.
    package var known: ContentInformation? {
        guard loader.isQuiet else { return nil }
        open(waiting: false)
        return session.version(of: number)?.information
    }

    /// The position of the next byte.
    public var position: Int64 { session.monitor.withLock { $0.readers[number]?.position } ?? 0 }

    /// What the origin says about the reader's version; asks the origin if it is unknown (C3).
    ///
    /// - Throws: ``CacheError``, ``DownloadError`` or ``TransportError``.
    public func information() throws -> ContentInformation {
        try session.bind(number, cancellation: cancellation).information
    }

    /// The next bytes of the range.
    ///
    /// Blocks until bytes are available. One thread at a time reads; others wait for it.
    ///
    /// - Parameter limit: the most bytes wanted; at least 1.
    /// - Returns: at least one byte, or nil at the end of the range.
    /// - Throws: ``DownloadError``, ``TransportError`` or ``CacheError`` if the rest is
    ///   unavailable; ``DownloadError/changed(url:)`` if the origin now has another version. After
    ///   a network failure another call tries again.
    public func next(limit: Int = 1 << 20) throws -> [UInt8]? {
        var next: [UInt8]?
        _ = try use(limit: limit, waiting: true) { bytes, part in
            // A whole chunk is returned without a copy.
            next = part == bytes.indices ? bytes : Array(bytes[part])
            return part.count
        }
        return next
    }

    /// Lends the next bytes of the range in place, at least one, and advances past as many as `body`
    /// returns that it has taken; nil at the end of the range.
    ///
    /// Blocks like ``next(limit:)`` until bytes are available, and while they are lent; if it may not
    /// wait for them, it ends ``withoutWaiting(_:)``. Cached bytes are not copied, and bytes that were
    /// not taken, as where `body` throws, are not read again by the next call.
    @discardableResult
    package func lend(
        limit: Int = 1 << 20, waiting: Bool = true, to body: (UnsafeRawBufferPointer) throws -> Int
    ) throws -> Int? {
        try use(limit: limit, waiting: waiting) { bytes, part in
            try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[part])) }
        }
    }

    /// Lets the body take of a part of the bytes of a block.
    private func use(
        limit: Int, waiting: Bool, _ body: ([UInt8], Range<Int>) throws -> Int
    ) throws -> Int? {
        precondition(limit > 0, "at least one byte must be wanted")
        return try memory.withLock { memory in
            while true {
                switch try session.look(number, limit: limit) {
                case .end: return nil
                case .bytes(let bytes, let position):
                    let taken = try body(bytes, bytes.indices)
                    reading.withLock { $0.networkBytes += Int64(taken) }
                    session.pass(number, to: position + Int64(taken))
                    return taken
                case .unbound:
                    guard waiting || session.bindIfKnown(number) else { throw MustWait() }
                    _ = try session.bind(number, cancellation: cancellation)
                case .elsewhere(let version, let range, let moves):
                    let found = try session.withStore { _ in
                        try find(range, of: version, waiting: waiting, memory: &memory)
                    }
                    guard let found else {
                        guard waiting else { throw MustWait() }
                        let nextCached = version.video == nil ? nil : memory.cached?.offset
                        let bridge = try session.bridge(to: range.offset, of: version)
                        try session.awaitByte(
                            number, moves: moves, nextCached: nextCached, bridge: bridge)
                        continue
                    }
                    // From here on the session must not move the reader to another version.
                    guard session.begin(number, with: version) else { continue }
                    return try use(found, limit: limit, moves: moves, memory: &memory, body)
                }
            }
        }
    }

    /// Sets the range of a reader that has not read yet.
    package func narrow(to range: ByteRange?) {
        session.monitor.withLock { state in
            state.readers[number]?.position = range?.offset ?? 0
            state.readers[number]?.end = range?.end ?? Int64.max
        }
    }

    /// Cancels the reader when its player has gone (F3); a blocked ``next(limit:)`` throws
    /// ``TransportError/cancelled``.
    ///
    /// A download that no other reader wants is cancelled, and its remainder saved (S3).
    public func cancel() {
        cancellation.cancel()
        let cancelled = session.cancel(number)
        reading.withLock { $0.cancelledRequests += cancelled }
    }

    private struct Found {
        var video: CachedVideo
        var chunk: ByteRange
        var bytes: [UInt8]
        /// What the reader still wants; it begins within the chunk.
        var wanted: ByteRange
    }

    // What follows is for bodies of `session.withStore`, for which a close waits.
    private var store: any ChunkStore { loader.store }

    private func find(
        _ range: ByteRange, of version: VideoVersion, waiting: Bool, memory: inout Memory
    ) throws -> Found? {
        guard let video = version.video else { return nil }
        hold(range, of: video, memory: &memory)
        memory.ahead.end = range.end
        // What is not there at once is looked up again by a thread that may wait.
        if waiting { reportLookUp(of: range, of: video, memory: &memory) }
        let found = try chunk(at: range.offset, of: video, waiting: waiting, memory: &memory)
        guard let chunk = found, let bytes = chunk.bytes else { return nil }
        if !waiting, !memory.hasLooked {
            // No player asks what is known about a video whose bytes are handed out at once.
            loader.observer.informed(about: video.url, from: .cache)
            reportLookUp(of: range, of: video, memory: &memory)
        }
        return Found(video: video, chunk: chunk.range, bytes: bytes, wanted: range)
    }

    /// Reports what is cached of the reader's range, once.
    private func reportLookUp(of range: ByteRange, of video: CachedVideo, memory: inout Memory) {
        guard !memory.hasLooked else { return }
        memory.hasLooked = true
        loader.observer.lookedUp(range, of: video.url, by: readerNumber) {
            Result { () throws(CacheError) in
                try Retrieval(
                    of: video, in: store, claimed: store.ranges(of: video).intersection(range))
            }
        }
    }

    private func use(
        _ found: Found, limit: Int, moves: Int, memory: inout Memory,
        _ body: ([UInt8], Range<Int>) throws -> Int
    ) throws -> Int {
        let start = found.wanted.offset
        let end = min(found.wanted.end, found.chunk.end, start + Int64(limit))
        let served = ByteRange(from: start, to: end)
        try session.withStore { _ in
            store.disk.noteUse(of: served, in: found.video)
            try prefetch(after: served, of: found, moves: moves, memory: &memory)
        }
        let first = Int(start - found.chunk.offset)
        let part = first..<first + Int(served.length)
        let taken = try body(found.bytes, part)
        reading.withLock { $0.cachedBytes += Int64(taken) }
        // From the store: no download waits for these to be read.
        session.monitor.withLock { $0.readers[number]?.position = start + Int64(taken) }
        // Lets the next chunk reuse this memory while it is in the CPU cache.
        if start + Int64(taken) == found.chunk.end { memory.chunk = nil }
        return taken
    }

    private var readerNumber: Int { reading.withLock { $0.reader } }

    private func chunk(
        at position: Int64, of video: CachedVideo, waiting: Bool, memory: inout Memory
    ) throws -> StoredChunk? {
        if let chunk = memory.chunk, chunk.range.contains(position) { return chunk }
        memory.chunk = nil
        var found = try store.chunk(of: video, from: position, ahead: &memory.ahead)
        var repairs = 0
        var hasLookedAgain = false
        while true {
            if let found, found.range.contains(position), found.bytes != nil {
                memory.chunk = found
                reading.withLock { $0.chunks += 1 }
                loader.observer.retrieved(found.range, of: video.url, by: readerNumber)
                return found
            }
            memory.cached = try store.cachedRange(of: video, from: position)
            guard let cached = memory.cached, cached.contains(position) else { return nil }
            // Damaged, or evicted since the lookup: never returned, but fetched again (C5).
            // A repair may read the whole database.
            guard waiting else { throw MustWait() }
            guard repairs < Self.mostRepairs else {
                throw CacheError.damaged(url: video.url, dropped: [found?.range ?? cached])
            }
            // A chunk that was saved since the lookup needs no repair.
            if hasLookedAgain {
                repairs += 1
                try repair(found, at: position, of: video)
            }
            hasLookedAgain = true
            found = try store.chunk(of: video, from: position, ahead: &memory.ahead)
        }
    }

    private func repair(_ found: StoredChunk?, at position: Int64, of video: CachedVideo) throws {
        guard let range = try damage(found, at: position, of: video) else { return }
        do {
            note(
                dropped: try store.dropDamaged(in: range, of: video),
                wasThere: found?.range.contains(position) == true)
        } catch CacheError.replaced {
            // Its chunks went with it; the session says what is in its place.
        }
    }

    private func note(dropped: [ByteRange], wasThere: Bool) {
        reading.withLock { reading in
            if wasThere { reading.damaged += dropped } else { reading.missing += dropped }
        }
    }

    private func damage(
        _ found: StoredChunk?, at position: Int64, of video: CachedVideo
    ) throws -> ByteRange? {
        if let found, found.range.contains(position) { return found.range }
        guard let still = try store.cachedRange(of: video, from: position),
            still.contains(position)
        else { return nil }
        // The range counts as cached, but there is no chunk.
        return ByteRange(from: position, to: min(still.end, found?.range.offset ?? still.end))
    }

    /// Protects what the reader will want next from eviction (C6).
    private func hold(_ range: ByteRange, of video: CachedVideo, memory: inout Memory) {
        let reach = loader.options.readAhead
        let window = ByteRange(offset: range.offset, length: min(range.length, max(reach, 1 << 20)))
        if let hold = memory.hold, memory.heldVideo == video.id {
            hold.move(to: window)
        } else {
            memory = Memory(hold: store.disk.readers.hold(window, of: video), heldVideo: video.id)
        }
    }

    /// Starts fetching the bytes after the cached ones while the reader is still reading those.
    private func prefetch(
        after served: ByteRange, of found: Found, moves: Int, memory: inout Memory
    ) throws {
        let (video, end) = (found.video, found.wanted.end)
        let near = loader.options.readAhead / 2
        func isNear(_ cached: ByteRange) -> Bool {
            cached.end < end && cached.end - served.end < near && cached.end != memory.prefetched
        }
        // A chunk that holds all that is wanted needs no look at what is cached beyond it.
        guard end > found.chunk.end else { return }
        if memory.cached?.contains(served.offset) != true {
            memory.cached = try store.cachedRange(of: video, from: served.offset)
        }
        guard let known = memory.cached, isNear(known) else { return }
        // More may be cached since.
        memory.cached = try store.cachedRange(of: video, from: served.offset)
        guard let cached = memory.cached, cached.contains(served.offset), isNear(cached) else {
            return
        }
        let next = try store.cachedRange(of: video, from: cached.end)
        let gap = ByteRange(from: cached.end, to: min(end, next?.offset ?? end))
        if session.prefetch(number, gap, moves: moves) { memory.prefetched = cached.end }
    }
}
