/// Parses the delay that an overloaded origin asks for.
enum RetryAfter {
    /// How long to wait; nil without a readable `Retry-After`, whose date is compared with the
    /// answer's own.
    static func duration(_ head: HTTPResponseHead) -> Duration? {
        guard let text = head["retry-after"] else { return nil }
        if let seconds = Int(text) { return seconds >= 0 ? .seconds(seconds) : nil }
        guard let then = HTTPDate.seconds(text), let now = head["date"].flatMap(HTTPDate.seconds)
        else { return nil }
        return .seconds(max(0, then - now))
    }
}
