internal import Foundation

/// Parses the delay that an overloaded origin asks for.
enum RetryAfter {
    /// How long to wait, according to the head; nil if it has no readable `Retry-After`.
    ///
    /// A date is compared with the response's own `Date`, so no clock is needed.
    static func duration(_ head: HTTPResponseHead) -> Duration? {
        guard let text = head["retry-after"] else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(seconds) : nil }
        guard let then = HTTPDate.seconds(text), let now = head["date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return .seconds(max(0, then - now))
    }
}

/// Dates in the format of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static let secondsBefore1970 = dayNumber(1970, 0, 1) * 86_400

    /// The time by the clock of this machine, as ``seconds(_:)`` counts.
    static var now: Int { secondsBefore1970 + Int(Date().timeIntervalSince1970) }

    /// Seconds since the beginning of year 0; nil if the text is not such a date.
    static func seconds(_ text: String) -> Int? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            (1...31).contains(day), (1...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").map { Int($0) ?? -1 }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        return dayNumber(year, month, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// The number of a day, computed with years that begin in March, so that the leap day is last.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = (month + 10) % 12
        let years = month < 2 ? year - 1 : year
        return years * 365 + years / 4 - years / 100 + years / 400 + (shifted * 306 + 5) / 10 + day
    }
}
