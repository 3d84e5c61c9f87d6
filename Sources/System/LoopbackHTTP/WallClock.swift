internal import Foundation

/// The time of day, which each answer tells (RFC 9110, 6.6.1).
package struct WallClock: Sendable {
    private let seconds: @Sendable () -> Int64

    /// Creates a clock that tells the seconds since the beginning of 1970, UTC.
    package init(seconds: @escaping @Sendable () -> Int64) { self.seconds = seconds }
    package static let system = WallClock { Int64(time(nil)) }

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb",
    ]

    /// The present as HTTP writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    package var date: String {
        let seconds = max(0, seconds())
        let (day, time) = (Int(seconds / 86_400), Int(seconds % 86_400))
        // In years that begin in March, the leap day is the last.
        let since = day + 719_468
        let era = since / 146_097
        let ofEra = since % 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let year = era * 400 + yearOfEra + (month > 9 ? 1 : 0)
        let name = Self.days[day % 7]
        let ofMonth = Self.two(ofYear - (153 * month + 2) / 5 + 1)
        let clock = [time / 3600, time / 60 % 60, time % 60].map(Self.two).joined(separator: ":")
        return "\(name), \(ofMonth) \(Self.months[month]) \(year) \(clock) GMT"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
