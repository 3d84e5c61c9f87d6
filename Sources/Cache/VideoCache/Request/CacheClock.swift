internal import Foundation

/// Tells the time of day, by which the freshness of what is stored is judged; injected.
public struct CacheClock: Sendable {
    private let read: @Sendable () -> Int64

    /// Creates a clock.
    ///
    /// - Parameter milliseconds: returns the milliseconds since 1970; called on any thread.
    public init(milliseconds: @escaping @Sendable () -> Int64) { read = milliseconds }

    /// The system's clock.
    public static let system = CacheClock { Int64(Date().timeIntervalSince1970 * 1000) }

    /// The milliseconds since 1970.
    var now: Int64 { read() }
}
