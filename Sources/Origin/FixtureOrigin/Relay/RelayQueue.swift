internal import Dispatch
internal import Synchronization

/// Bytes that a relay has read from one socket and not passed on yet, with their arrival times.
///
/// For one producer thread and one consumer thread; each waits for the other.
final class RelayQueue: Sendable {
    enum Item: Sendable {
        case bytes([UInt8], arrived: ContinuousClock.Instant)
        /// No more bytes follow.
        case end(arrived: ContinuousClock.Instant)
    }

    private struct Guarded: Sendable {
        var items: [Item] = []
        var isCancelled = false
    }

    private let guarded = Mutex(Guarded())
    private let filled = DispatchSemaphore(value: 0)
    // Created with 0: releasing a semaphore whose value is below its initial one crashes.
    private let room = DispatchSemaphore(value: 0)

    init(capacity: Int) {
        for _ in 0..<capacity { room.signal() }
    }

    /// Adds an item, waiting for room; false when the queue was cancelled.
    func put(_ item: Item) -> Bool {
        room.wait()
        let isOpen = guarded.withLock { guarded in
            if !guarded.isCancelled { guarded.items.append(item) }
            return !guarded.isCancelled
        }
        filled.signal()
        return isOpen
    }

    /// Removes the oldest item, waiting for one; nil when the queue was cancelled.
    func take() -> Item? {
        filled.wait()
        let item: Item? = guarded.withLock { guarded in
            guarded.isCancelled || guarded.items.isEmpty ? nil : guarded.items.removeFirst()
        }
        room.signal()
        return item
    }

    /// Ends both waits and drops the queued items.
    func cancel() {
        guarded.withLock { guarded in
            guarded.isCancelled = true
            guarded.items = []
        }
        filled.signal()
        room.signal()
    }
}
