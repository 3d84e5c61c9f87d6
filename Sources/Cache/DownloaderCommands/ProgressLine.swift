internal import Synchronization
internal import VideoCache

/// A progress line on a terminal: how much is cached, and how fast bytes arrive.
final class ProgressLine: CacheObserver {
    private static let interval = Duration.milliseconds(100)

    private struct State {
        var received: Int64 = 0
        var cachedBefore: Int64 = 0
        var length: Int64?
        var began: ContinuousClock.Instant?
        var drawn: ContinuousClock.Instant?
    }

    private let cache: VideoCache
    private let state = Mutex(State())

    /// Creates a line for a cache; nil if standard error is not a terminal.
    init?(cache: VideoCache) {
        guard StandardError.isTerminal else { return nil }
        self.cache = cache
    }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        // Unreadable values are not shown; the download itself reports why.
        let cached = (try? cache.cachedBytes(of: url)) ?? 0
        let length = (try? cache.video(url)).flatMap(\.self)?.information.length
        state.withLock { state in
            state.cachedBefore = cached
            state.length = length
            state.received = 0
            state.began = ContinuousClock.now
        }
        return ProgressRequest(line: self)
    }

    func erase() { StandardError.draw("\r\u{1B}[K") }

    fileprivate func received(_ count: Int) {
        let now = ContinuousClock.now
        let text: String? = state.withLock { state in
            state.received += Int64(count)
            guard state.drawn.map({ now - $0 >= Self.interval }) ?? true, let began = state.began
            else { return nil }
            state.drawn = now
            return Self.text(state, seconds: (now - began) / .seconds(1))
        }
        if let text { StandardError.draw("\r\(text)\u{1B}[K") }
    }

    private static func text(_ state: State, seconds: Double) -> String {
        let bytes = state.cachedBefore + state.received
        let rate = seconds > 0 ? Int64(Double(state.received) / seconds) : 0
        guard let length = state.length, length > 0 else {
            return "\(readable(bytes)), \(readable(rate))/s"
        }
        let percent = Int(100 * min(bytes, length) / length)
        return "\(readable(bytes)) of \(readable(length)) (\(percent) %), \(readable(rate))/s"
    }
}

private struct ProgressRequest: RequestObserver {
    let line: ProgressLine

    func received(_ count: Int) { line.received(count) }
}
