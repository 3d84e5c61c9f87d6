import Foundation
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// 7 calendar days of the Gregorian calendar, not 604,800 seconds (O3).
@Suite struct LibraryCachePolicyTests {
    /// A list's local save time, its local expiry time, and the seconds that really pass between
    /// them.
    struct Week: CustomTestStringConvertible {
        let zone: String
        let saved: String
        let expired: String
        let hours: Double

        var testDescription: String { "\(zone) \(saved)" }

        init(_ zone: String, _ saved: String, _ expired: String, hours: Double) {
            (self.zone, self.saved, self.expired, self.hours) = (zone, saved, expired, hours)
        }
    }

    static let weeks = [
        Week("UTC", "2026-01-01 10:00", "2026-01-08 10:00", hours: 168),
        Week("UTC", "2024-02-26 00:00", "2024-03-04 00:00", hours: 168),
        Week("UTC", "2026-12-28 23:59", "2027-01-04 23:59", hours: 168),
        // In Berlin, clocks go forward on 29 March 2026 and back on 25 October 2026.
        Week("Europe/Berlin", "2026-03-25 10:00", "2026-04-01 10:00", hours: 167),
        Week("Europe/Berlin", "2026-10-20 10:00", "2026-10-27 10:00", hours: 169),
        Week("Europe/Berlin", "2026-03-22 01:59", "2026-03-29 01:59", hours: 168),
        Week("Europe/Berlin", "2026-03-22 03:00", "2026-03-29 03:00", hours: 167),
        // 02:30 does not exist on 29 March: an hour is skipped, so the list is valid an hour
        // longer.
        Week("Europe/Berlin", "2026-03-22 02:30", "2026-03-29 03:30", hours: 168),
        // In New York, clocks change on 8 March and 1 November 2026.
        Week("America/New_York", "2026-03-05 18:15", "2026-03-12 18:15", hours: 167),
        Week("America/New_York", "2026-10-30 00:00", "2026-11-06 00:00", hours: 169),
        Week("America/New_York", "2026-03-01 02:30", "2026-03-08 03:30", hours: 168),
        // Half an hour, in the southern hemisphere.
        Week("Australia/Lord_Howe", "2026-04-01 12:00", "2026-04-08 12:00", hours: 168.5),
    ]

    private static func moment(_ text: String, in zone: TimeZone) throws -> Date {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.calendar = Calendar(identifier: .gregorian)
        format.timeZone = zone
        format.dateFormat = "yyyy-MM-dd HH:mm"
        return try #require(format.date(from: text))
    }

    @Test(arguments: weeks)
    func exactlySevenCalendarDaysIsExpired(_ week: Week) throws {
        let zone = try #require(TimeZone(identifier: week.zone))
        let policy = LibraryCachePolicy(timeZone: zone)
        let saved = try Self.moment(week.saved, in: zone)
        let expired = try Self.moment(week.expired, in: zone)
        #expect(expired.timeIntervalSince(saved) == week.hours * 3600)
        #expect(policy.expiry(of: saved) == expired && policy.isValid(saved, at: saved))
        #expect(policy.isValid(saved, at: expired - 1))
        #expect(policy.isValid(saved, at: expired - 0.001) && !policy.isValid(saved, at: expired))
        #expect(!policy.isValid(saved, at: expired + 0.001))
        #expect(!policy.isValid(saved, at: expired + 365 * 86_400))
    }

    /// The same moments: 167 hours after the save are a week in Berlin, but not in Tokyo.
    @Test func theZoneDecides() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
        let saved = try Self.moment("2026-03-25 10:00", in: berlin)
        let now = saved + 167 * 3600
        #expect(!LibraryCachePolicy(timeZone: berlin).isValid(saved, at: now))
        #expect(LibraryCachePolicy(timeZone: tokyo).isValid(saved, at: now))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = berlin
        #expect(!LibraryCachePolicy(calendar: calendar).isValid(saved, at: now))
    }

    @Test func aDayOfFutureIsForgivenAndNoMore() throws {
        let policy = LibraryCachePolicy(timeZone: try #require(TimeZone(identifier: "UTC")))
        #expect(policy.isValid(someTime + 1, at: someTime))
        #expect(policy.isValid(someTime + 86_400, at: someTime))
        #expect(!policy.isValid(someTime + 86_401, at: someTime))
        #expect(!policy.isValid(someTime + 20 * 365 * 86_400, at: someTime))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func aMomentThatIsNoneIsExpired(seconds: Double) {
        let policy = LibraryCachePolicy()
        #expect(!policy.isValid(Date(timeIntervalSince1970: seconds), at: someTime))
    }
}
