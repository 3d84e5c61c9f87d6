#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How long a worker may make no progress before the rig gives up on it.
struct Patience: Sendable {
    /// Seconds without a byte, a commit, or a change of the files' sizes.
    let seconds: Double
    let interruption: Interruption
    /// The bytes of the worker's files: an export, or one great commit, moves nothing else.
    var bytesOnDisk: @Sendable () -> UInt64 = { 0 }

    /// Since when nothing has moved, as far as was looked.
    struct Stall {
        var progress: UInt64
        var bytesOnDisk: UInt64 = 0
        var since: ContinuousClock.Instant
    }

    func begin(_ progress: UInt64) -> Stall {
        Stall(progress: progress, since: .now)
    }

    /// True when the user wants to stop, or when nothing has moved for too long.
    ///
    /// The files are looked at only when nothing else has moved all that time.
    func isExhausted(_ stall: inout Stall, progress: UInt64) -> Bool {
        if interruption.isRaised { return true }
        if progress != stall.progress { stall = begin(progress) }
        guard (ContinuousClock.now - stall.since).seconds > seconds else { return false }
        let bytes = bytesOnDisk()
        defer { stall = Stall(progress: progress, bytesOnDisk: bytes, since: .now) }
        return bytes == stall.bytesOnDisk
    }
}

/// Sleeping on a thread of one's own.
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
