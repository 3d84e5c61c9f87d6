internal import Synchronization
internal import DownloaderCommands
internal import VideoCache

/// Forwards everything to an observer, with a planted bug in the observers of its requests.
struct BuggyObserver: LastingObserver, ForwardingObserver {
    let base: any LastingObserver
    /// Wraps a request's observer with the bug; also receives the request's first position.
    let plant: @Sendable (any RequestObserver, Int64) -> any RequestObserver

    var members: [any CacheObserver] { [base] }
    func finish() { base.finish() }
    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        plant(base.requestBegan(url: url, start: start), start)
    }
}

/// A request's observer that forwards everything to another one, except what it overrides.
protocol BuggyRequest: ForwardingRequest {
    var base: any RequestObserver { get }
}

extension BuggyRequest {
    var members: [any RequestObserver] { [base] }
}

struct EarlyRequest: BuggyRequest {
    let base: any RequestObserver
    let start: Int64

    func willCommit(_ range: ByteRange) {
        base.committed(range, stored: range.length, acknowledged: range.end - start)
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {}
}

final class LateRequest: BuggyRequest {
    let base: any RequestObserver
    private let unnoted = Mutex(0)

    init(base: any RequestObserver) { self.base = base }
    func received(_ count: Int) { unnoted.withLock { $0 += count } }

    private func note() {
        let count = unnoted.withLock { count in
            defer { count = 0 }
            return count
        }
        if count > 0 { base.received(count) }
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        note()
        base.committed(range, stored: stored, acknowledged: acknowledged)
    }

    func ended(_ end: RequestEnd) {
        note()
        base.ended(end)
    }
}

struct EndlessRequest: BuggyRequest {
    let base: any RequestObserver

    func ended(_ end: RequestEnd) {}
}
