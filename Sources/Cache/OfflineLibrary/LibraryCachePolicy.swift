package import Foundation

/// How long a saved list is valid: 7 calendar days (O3).
///
/// Calendar days, not 604,800 seconds: a list saved at 10:00 is valid until, but not at, 10:00
/// seven days later, even across a daylight saving change. If that time of day is skipped by the
/// change, the list is valid for longer by the skipped time.
///
/// A timestamp in the future means that the clock was set back, or was fast. Up to one day is
/// tolerated, so that a small clock correction does not empty the library. Beyond that the list
/// counts as expired; otherwise a list saved by a clock years ahead would stay for years.
package struct LibraryCachePolicy: Sendable, Hashable {
    /// For how many calendar days a list is valid.
    static let maximumAgeDays = 7
    /// How many calendar days a timestamp may be in the future.
    static let futureToleranceDays = 1

    private let calendar: Calendar

    /// Creates a policy for a time zone, with the Gregorian calendar.
    package init(timeZone: TimeZone = .current) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.init(calendar: calendar)
    }

    /// Creates a policy for a calendar and its time zone.
    package init(calendar: Calendar) { self.calendar = calendar }

    /// The first moment at which a list with the timestamp is expired; nil outside the calendar's
    /// range.
    func expiry(of timestamp: Date) -> Date? {
        calendar.date(byAdding: .day, value: Self.maximumAgeDays, to: timestamp)
    }

    /// True if a list with the timestamp is valid now; false outside the calendar's range.
    func isValid(_ timestamp: Date, at now: Date) -> Bool {
        guard let expiry = expiry(of: timestamp),
            let latest = calendar.date(byAdding: .day, value: Self.futureToleranceDays, to: now)
        else { return false }
        return timestamp <= latest && now < expiry
    }
}
