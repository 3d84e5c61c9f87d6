#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How long a worker may make no progress, and how long it may run, before the rig gives up on it.
struct StallDetector: Sendable {
    /// Seconds without a byte, a commit, or a change of the files' sizes.
    let seconds: Double
    /// Seconds of a whole life, whatever it does.
    var limitSeconds = Double.infinity
    let interruption: Interruption
    /// The size of the worker's files: during an export or a large commit nothing else changes.
    var bytesOnDisk: @Sendable () -> UInt64 = { 0 }

    /// Why the rig has given up on a worker.
    enum End: Sendable, Hashable {
        /// The user asked to stop.
        case interrupted
        /// Nothing has changed for too long.
        case stalled
        /// It has run for too long.
        case overran
    }

    /// Since when nothing has changed, as far as was checked.
    struct Stall {
        var progress: UInt64
        var bytesOnDisk: UInt64 = 0
        var since: ContinuousClock.Instant
        /// When the life began.
        let began: ContinuousClock.Instant
        /// Why the rig has given up; nil as long as it has not.
        var end: End?
    }

    func begin(_ progress: UInt64) -> Stall {
        Stall(progress: progress, since: .now, began: .now)
    }

    /// True when the user asked to stop, when nothing has changed for too long, or when the life
    /// takes too long.
    ///
    /// The files are checked only when nothing else has changed all that time.
    func isExhausted(_ stall: inout Stall, progress: UInt64) -> Bool {
        stall.end = end(of: &stall, progress: progress)
        return stall.end != nil
    }

    private func end(of stall: inout Stall, progress: UInt64) -> End? {
        if interruption.isRaised { return .interrupted }
        let now = ContinuousClock.now
        if (now - stall.began).seconds > limitSeconds { return .overran }
        if progress != stall.progress {
            stall = Stall(progress: progress, since: now, began: stall.began)
        }
        guard (now - stall.since).seconds > seconds else { return nil }
        let bytes = bytesOnDisk()
        defer { (stall.bytesOnDisk, stall.since) = (bytes, .now) }
        return bytes == stall.bytesOnDisk ? .stalled : nil
    }
}

/// Blocking sleep, for dedicated threads.
enum Pause {
    static func seconds(_ seconds: Double) {
        guard seconds > 0 else { return }
        var time = timespec()
        time.tv_sec = Int(seconds)
        time.tv_nsec = Int((seconds - Double(Int(seconds))) * 1e9)
        nanosleep(&time, nil)
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
