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
