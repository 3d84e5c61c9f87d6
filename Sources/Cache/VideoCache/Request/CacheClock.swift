internal import Foundation

/// Tells the time of day, by which the freshness of what is stored is judged; injected.
public struct CacheClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Creates a clock.
    ///
    /// - Parameter milliseconds: returns the milliseconds since 1970; called on any thread.
    public init(milliseconds: @escaping @Sendable () -> Int64) { read = milliseconds }

    /// The system's clock.
    public static let system = CacheClock {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// The milliseconds since 1970.
    var now: Int64 { read() }
}
