import Synchronization

/// The worker's side of the page.
///
/// Updating a request costs a few stores into memory and no system call. Each request must be
/// updated by one thread at a time (guaranteed by S4); different requests may be updated
/// concurrently.
public final class WitnessWriter: Sendable {
    /// The environment variable that names the page's file.
    public static let environmentVariable = "RIG_WITNESS"

    private let page: WitnessMapping
    private let slots = Mutex(SlotBook())
    // Taken for each phase change. Without it, concurrent threads could get past a hold.
    private let moves = Mutex(())

    private struct SlotBook {
        var ordinal: UInt64 = 0
        var next = 0
        var taken = Set<Int>()

        /// Takes the next slot without an active request; nil when there is none.
        mutating func take() -> Int? {
            for step in 0..<WitnessLayout.slotCount {
                let slot = (next + step) % WitnessLayout.slotCount
                guard taken.insert(slot).inserted else { continue }
                next = (slot + 1) % WitnessLayout.slotCount
                return slot
            }
            return nil
        }
    }

    /// Maps the page and resets it: what an earlier worker wrote there is erased.
    ///
    /// - Parameter path: the file; created when absent.
    /// - Throws: ``WitnessError`` when the file cannot be mapped.
    public init(path: String) throws(WitnessError) {
        page = try WitnessMapping(path: path)
        page.store64(0, at: 0)
        // Another layout, or a file that is no page, may have any bytes at the hold's offset.
        if page.load32(WitnessLayout.versionOffset) != WitnessLayout.version {
            page.store64(0, at: WitnessLayout.holdOffset)
        }
        for slot in 0..<WitnessLayout.slotCount { page.claim(slot: slot, resource: 0) }
        page.store32(WitnessLayout.version, at: WitnessLayout.versionOffset)
        page.store32(UInt32(WitnessLayout.slotCount), at: WitnessLayout.slotCountOffset)
        page.begin(in: .starting)
        page.store64(0, at: WitnessLayout.commitsOffset)
        page.store64(0, at: WitnessLayout.requestsOffset)
        page.store64(0, at: WitnessLayout.evictionsOffset)
        page.store64(WitnessLayout.magic, at: 0)
    }

    /// Reports the worker's phase.
    ///
    /// Blocks while the rig holds the worker in the phase that it would leave.
    public func enter(_ phase: WitnessPhase) { wait { page.move(to: phase) } }

    /// Reports that the work is over; the process may end when this returns.
    ///
    /// Blocks while the rig holds the worker in its current phase.
    public func finish() { wait { !page.isHeld } }

    /// Polls until a move is allowed; makes no system call if it is allowed at once.
    private func wait(until isDone: () -> Bool) {
        guard !moves.withLock({ _ in isDone() }) else { return }
        moves.withLock { _ in page.noteWaiting(1) }
        while !moves.withLock({ _ in isDone() }) { WitnessMapping.nap() }
        moves.withLock { _ in page.noteWaiting(-1) }
    }

    /// Reports that one more commit has returned.
    public func commitReturned() {
        slots.withLock { _ in
            page.store64(
                page.load64(WitnessLayout.commitsOffset) + 1, at: WitnessLayout.commitsOffset)
        }
    }

    /// Announces that acknowledged bytes are about to be evicted, to make room for others.
    ///
    /// To be called before their removal is committed: bytes removed without an announcement count
    /// as lost.
    ///
    /// - Parameters:
    ///   - url: the URL as it was requested.
    ///   - start: the first byte position.
    ///   - length: the number of bytes.
    public func evict(url: String, start: UInt64, length: UInt64) {
        slots.withLock { book in
            let number = page.load64(WitnessLayout.evictionsOffset)
            if number < WitnessLayout.slotCount {
                let eviction = WitnessEviction(
                    resource: WitnessLayout.resource(of: url), start: start, length: length,
                    requests: book.ordinal)
                page.place(eviction, at: Int(number))
            }
            page.store64(number + 1, at: WitnessLayout.evictionsOffset)
        }
    }

    /// Begins a request; nil when all slots hold active requests.
    ///
    /// - Parameters:
    ///   - url: the URL as requested.
    ///   - start: the request's first byte position.
    /// - Returns: the request, which holds a slot in the page until it ends.
    public func begin(url: String, start: UInt64) -> WitnessRequest? {
        slots.withLock { book in
            book.ordinal += 1
            // Counted before it is stored: a reader looks at the slots that the count reaches. Also
            // without a slot: a page without room for a request must not look complete.
            page.store64(book.ordinal, at: WitnessLayout.requestsOffset)
            guard let slot = book.take() else { return nil }
            let record = WitnessRecord(
                resource: WitnessLayout.resource(of: url), start: start, ordinal: book.ordinal)
            page.claim(slot: slot, resource: record.resource)
            page.publish(record, slot: slot)
            return WitnessRequest(page: page, slot: slot, record: record) { [weak self] in
                self?.release(slot: slot)
            }
        }
    }

    private func release(slot: Int) { _ = slots.withLock { $0.taken.remove(slot) } }
}

/// One request in the page.
public final class WitnessRequest: Sendable {
    private let page: WitnessMapping
    private let slot: Int
    private let record: Mutex<WitnessRecord>
    private let release: @Sendable () -> Void

    init(
        page: WitnessMapping, slot: Int, record: WitnessRecord,
        release: @escaping @Sendable () -> Void
    ) {
        (self.page, self.slot) = (page, slot)
        self.record = Mutex(record)
        self.release = release
    }

    /// Reports that `count` more bytes were taken off the socket.
    public func receive(_ count: Int) { update { $0.received += UInt64(count) } }

    /// Reports that the first `count` bytes of the request are safe: their commit has returned.
    public func acknowledge(upTo count: UInt64) { update { $0.acknowledged = count } }

    /// Reports that the request is over.
    ///
    /// Later updates and further ends are ignored.
    public func end() {
        // Only the first end frees the slot: by a second one, another request may hold it.
        if update({ $0.isActive = false }) { release() }
    }

    /// Publishes the change; false if the request was already over.
    @discardableResult
    private func update(_ change: (inout WitnessRecord) -> Void) -> Bool {
        record.withLock { record in
            guard record.isActive else { return false }
            change(&record)
            page.publish(record, slot: slot)
            return true
        }
    }
}
