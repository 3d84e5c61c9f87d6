internal import RigModel

/// What the rig can see of a worker while it lives: by its witness page, or by its sockets.
protocol WorkerWatch: Sendable {
    /// One look; it is asked thousands of times a second.
    var glance: Glance { get }
    /// True once the worker has looked at what it has; false as long as that is not known.
    var knowsWhatItHas: Bool { get }
    /// True once the worker has come where it is held; false when it is not to be held.
    var hasReachedHold: Bool { get }
    /// When the origin sent the first of the bytes that were received; nil as long as none was, or
    /// where it is not known.
    var firstByteSent: ContinuousClock.Instant? { get }
}

extension WorkerWatch {
    /// Not known: what is watched says nothing of the origin.
    var firstByteSent: ContinuousClock.Instant? { nil }
}

/// What one look at a worker shows.
struct Glance: Sendable {
    /// Positions taken off sockets.
    var received = ByteRanges()
    /// Positions that the worker says are safe; none for one that says nothing.
    var acknowledged = ByteRanges()
    /// Changes while a worker gets on.
    var progress: UInt64 = 0
}
