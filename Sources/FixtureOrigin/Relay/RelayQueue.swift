internal import Dispatch
internal import Synchronization

/// What a relay has taken off one socket and not yet passed on, with the moments of arrival.
///
/// One thread puts and one takes; each waits for the other.
final class RelayQueue: Sendable {
    /// What comes out of the queue.
    enum Item: Sendable {
        case bytes([UInt8], arrived: ContinuousClock.Instant)
        /// Nothing more comes.
        case end(arrived: ContinuousClock.Instant)
    }

    private struct Guarded: Sendable {
        var items: [Item] = []
        var isCancelled = false
    }

    private let guarded = Mutex(Guarded())
    private let filled = DispatchSemaphore(value: 0)
    // Not made with its value: a semaphore that ends with less than it began with is a crash.
    private let room = DispatchSemaphore(value: 0)

    /// A queue of at most so many items.
    init(capacity: Int) {
        for _ in 0..<capacity { room.signal() }
    }

    /// Adds an item, once there is room; false when the queue was cancelled.
    func put(_ item: Item) -> Bool {
        room.wait()
        let isOpen = guarded.withLock { guarded in
            if !guarded.isCancelled { guarded.items.append(item) }
            return !guarded.isCancelled
        }
        filled.signal()
        return isOpen
    }

    /// Removes the oldest item, once there is one; nil when the queue was cancelled.
    func take() -> Item? {
        filled.wait()
        let item: Item? = guarded.withLock { guarded in
            guarded.isCancelled || guarded.items.isEmpty ? nil : guarded.items.removeFirst()
        }
        room.signal()
        return item
    }

    /// Ends both waits; what is in the queue is dropped.
    func cancel() {
        guarded.withLock { guarded in
            guarded.isCancelled = true
            guarded.items = []
        }
        filled.signal()
        room.signal()
    }
}
