internal import Foundation

/// The time of day, which each answer tells (RFC 9110, 6.6.1).
package struct WallClock: Sendable {
    private let seconds: @Sendable () -> Int64

    /// Creates a clock that tells the seconds since the beginning of 1970, UTC.
    package init(seconds: @escaping @Sendable () -> Int64) { self.seconds = seconds }
    package static let system = WallClock { Int64(time(nil)) }

    // `strftime` would say them in the language of the process.
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The present as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var date: String {
        var sinceThen = time_t(max(0, seconds()))
        var now = tm()
        gmtime_r(&sinceThen, &now)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(Self.days[Int(now.tm_wday)]), \(two(now.tm_mday))"
        let month = "\(Self.months[Int(now.tm_mon)]) \(1900 + now.tm_year)"
        return "\(day) \(month) \(two(now.tm_hour)):\(two(now.tm_min)):\(two(now.tm_sec)) GMT"
    }
}
