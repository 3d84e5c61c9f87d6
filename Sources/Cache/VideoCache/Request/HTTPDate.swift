/// Dates in the formats of HTTP (RFC 9110, 5.6.7).
enum HTTPDate {
    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let longDays = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Seconds since 1970; nil if the text is in none of the three formats.
    ///
    /// `Sun, 06 Nov 1994 08:49:37 GMT` and the two obsolete ones, `Sunday, 06-Nov-94 08:49:37 GMT`
    /// and `Sun Nov  6 08:49:37 1994`, exactly: what differs from them is no date, so that nothing
    /// counts as fresh until a time that was only guessed.
    static func seconds(_ text: String) -> Int? {
        let parts = text.lowercased().split(separator: " ", omittingEmptySubsequences: false)
        switch parts.count {
        case 6 where parts[0].hasSuffix(",") && parts[5] == "gmt":
            guard days.contains(String(parts[0].dropLast())) else { return nil }
            return seconds(
                day: digits(parts[1], 2), month: parts[2], year: digits(parts[3], 4), parts[4])
        case 4 where parts[0].hasSuffix(",") && parts[3] == "gmt":
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false)
            guard longDays.contains(String(parts[0].dropLast())), date.count == 3,
                let short = digits(date[2], 2)
            else { return nil }
            // The century is not told; no server of before 1970 is left.
            let year = short < 70 ? 2000 + short : 1900 + short
            return seconds(day: digits(date[0], 2), month: date[1], year: year, parts[2])
        case 5, 6:
            // A day of one digit has a blank before it, which makes one part more.
            let isPadded = parts.count == 6
            guard days.contains(String(parts[0])), !isPadded || parts[2].isEmpty else { return nil }
            let rest = parts.dropFirst(isPadded ? 3 : 2)
            return seconds(
                day: digits(rest[rest.startIndex], isPadded ? 1 : 2), month: parts[1],
                year: digits(rest[rest.startIndex + 2], 4), rest[rest.startIndex + 1])
        default: return nil
        }
    }

    private static func seconds(
        day: Int?, month: Substring, year: Int?, _ time: Substring
    ) -> Int? {
        let clock = time.split(separator: ":", omittingEmptySubsequences: false)
        guard let day, let year, let month = months.firstIndex(of: String(month)),
            (1...31).contains(day), year >= 1, clock.count == 3,
            let hour = digits(clock[0], 2), let minute = digits(clock[1], 2),
            let second = digits(clock[2], 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = dayNumber(year, month, day) - dayNumber(1970, 0, 1)
        return days * 86_400 + hour * 3600 + minute * 60 + second
    }

    private static func digits(_ text: Substring, _ count: Int) -> Int? {
        text.utf8.count == count && text.isDecimal ? Int(text) : nil
    }

    /// The number of a day, computed with years that begin in March, so that the leap day is last.
    private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = (month + 10) % 12
        let years = month < 2 ? year - 1 : year
        return years * 365 + years / 4 - years / 100 + years / 400 + (shifted * 306 + 5) / 10 + day
    }
}
