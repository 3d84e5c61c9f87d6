public import Foundation

/// How long a saved list is good: 7 calendar days (O3).
///
/// Calendar days, not 604,800 seconds: a list saved at 10:00 is good until 10:00 seven days later,
/// also where the clocks change in between. That very moment is too late. Where it does not exist,
/// because clocks skip it, the list is good until as much later as they skip.
///
/// A timestamp in the future is a clock that was set back, or one that ran ahead. Up to one day of
/// it is forgiven, so that a small correction of the clock does not empty the library; beyond, the
/// list counts as expired, so that one saved by a clock years ahead does not stay for years.
public struct LibraryCachePolicy: Sendable, Hashable {
    /// How many calendar days a list is good.
    public static let maximumAgeDays = 7
    /// How many calendar days a timestamp may lie in the future.
    public static let futureToleranceDays = 1

    private let calendar: Calendar

    /// A policy that counts days in a time zone, by the Gregorian calendar.
    public init(timeZone: TimeZone = .current) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.init(calendar: calendar)
    }

    /// A policy that counts days by a calendar, which brings its time zone.
    public init(calendar: Calendar) {
        self.calendar = calendar
    }

    /// The first moment at which a list of the timestamp is expired; nil beyond what a calendar
    /// can tell.
    public func expiry(of timestamp: Date) -> Date? {
        calendar.date(byAdding: .day, value: Self.maximumAgeDays, to: timestamp)
    }

    /// True when a list of the timestamp is good now; a moment that cannot be told is not.
    public func isValid(_ timestamp: Date, at now: Date) -> Bool {
        guard let expiry = expiry(of: timestamp),
            let latest = calendar.date(byAdding: .day, value: Self.futureToleranceDays, to: now)
        else { return false }
        return timestamp <= latest && now < expiry
    }
}
