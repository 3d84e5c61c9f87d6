internal import Synchronization
internal import VideoCache

/// Reports damage on standard error, even with `--quiet`.
struct DamageNotice: CacheObserver {
    func mended(_ url: String?, lost: [ByteRange]) {
        let what = url.map { "what was cached of \($0): \(lost.byteCount) bytes are lost" }
        StandardError.write(
            "downloader: damage was found in \(what ?? "the cache's index: what it has lost is dropped");"
                + " what is missing is fetched anew\n")
    }
}

/// Reports on standard error that nothing is saved, and when it is again (S6): the disk is low or
/// full, or a file as large as it may be, or the cache can only be read, or was removed.
final class DiskNotice: CacheObserver {
    private let isLow = Atomic(false)

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        Request(notice: self, beganLow: isLow.load(ordering: .sequentiallyConsistent))
    }

    private struct Request: RequestObserver {
        let notice: DiskNotice
        /// A request that began before is saved to its end, which says nothing of the disk.
        let beganLow: Bool

        func saveFailed(_ error: CacheError) {
            switch error {
            case .diskLow, .diskFull, .fileTooLarge, .readOnly, .moved: break
            default: return
            }
            guard !notice.isLow.exchange(true, ordering: .sequentiallyConsistent) else { return }
            StandardError.write(
                "downloader: \(error); playing goes on, and nothing is saved meanwhile\n")
        }

        func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
            guard beganLow, notice.isLow.exchange(false, ordering: .sequentiallyConsistent)
            else { return }
            StandardError.write("downloader: there is room again, and saving goes on\n")
        }
    }
}

/// Reports, even with `--quiet`, that an origin never told a video's length, once for each.
final class LengthNotice: CacheObserver {
    private let reported = Mutex<Set<String>>([])

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        Request(notice: self, url: url)
    }

    private struct Request: RequestObserver {
        let notice: LengthNotice
        let url: String

        func endedUnannounced(at position: Int64) {
            guard notice.reported.withLock({ $0.insert(url).inserted }) else { return }
            StandardError.write(
                "downloader: \(url) never told its length: the connection was closed after "
                    + "\(position) bytes, which counts as the end; compare it if it must be whole\n"
            )
        }
    }
}

/// A progress line on a terminal: how much is cached, and how fast bytes arrive.
final class ProgressLine: CacheObserver, RequestObserver {
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
        return self
    }

    func erase() { StandardError.draw("\r\u{1B}[K") }

    func received(_ count: Int) {
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
