/// How long a worker may make no progress, and how long it may run, before the rig gives up on it.
struct StallDetector: Sendable {
    /// Seconds without a byte, a commit, or a change of the files' sizes.
    let seconds: Double
    var limitSeconds = Double.infinity
    let interruption: Interruption
    /// The size of the worker's files: during an export or a large commit nothing else changes.
    var bytesOnDisk: @Sendable () -> UInt64 = { 0 }
    /// How long the worker's threads have run, and waited for a processor: with 52 threads for two
    /// processors, some waited for more than three seconds, and were not to blame.
    var processorWaits: @Sendable () -> ProcessorWaits = { ProcessorWaits() }
    /// Whether the disk stores something within a second: on a machine whose kernel had started
    /// none of its own work for a minute, two workers seemed to hang in their commits.
    var doesDiskAnswer: @Sendable () -> Bool = { true }

    enum End: Sendable, Hashable {
        case interrupted
        case stalled
        case overran
    }

    /// The most seconds that count between two looks, a millisecond or so apart: where more have
    /// passed, neither rig nor worker may have run, as in a virtual machine that was stopped.
    static let longestStep = 1.0

    /// How long nothing has changed, as far as was checked.
    struct Stall {
        var progress: UInt64
        var bytesOnDisk: UInt64 = 0
        /// Seconds without a change since the last check of everything.
        var still = 0.0
        /// Those of all seconds without a change in which the worker could run.
        var ready = 0.0
        var waits = ProcessorWaits()
        var lasted = 0.0
        var looked: ContinuousClock.Instant
        var end: End?
    }

    func begin(_ progress: UInt64, at now: ContinuousClock.Instant = .now) -> Stall {
        Stall(progress: progress, looked: now)
    }

    /// True when the user asked to stop, nothing has changed for too long, or it takes too long.
    func isExhausted(
        _ stall: inout Stall, progress: UInt64, at now: ContinuousClock.Instant = .now
    ) -> Bool {
        stall.end = end(of: &stall, progress: progress, at: now)
        return stall.end != nil
    }

    private func end(
        of stall: inout Stall, progress: UInt64, at now: ContinuousClock.Instant
    ) -> End? {
        if interruption.isRaised { return .interrupted }
        let step = min((now - stall.looked).seconds, Self.longestStep)
        stall.looked = now
        stall.lasted += step
        stall.still += step
        if stall.lasted > limitSeconds { return .overran }
        if progress != stall.progress {
            (stall.progress, stall.bytesOnDisk, stall.still, stall.ready) = (progress, 0, 0, 0)
        }
        guard stall.still > seconds else { return nil }
        let bytes = bytesOnDisk()
        let waits = processorWaits()
        let waited = waits.seconds(since: stall.waits, of: stall.still)
        let isSame = bytes == stall.bytesOnDisk
        stall.ready = isSame ? stall.ready + stall.still - waited : 0
        (stall.bytesOnDisk, stall.waits, stall.still) = (bytes, waits, 0)
        guard isSame, stall.ready > seconds - Self.longestStep else { return nil }
        return doesDiskAnswer() ? .stalled : nil
    }
}
