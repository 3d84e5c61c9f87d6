internal import Synchronization
internal import DownloaderCommands
internal import VideoCache

/// Forwards everything to an observer, with a planted bug in the observers of its requests.
struct BuggyObserver: LastingObserver {
    let base: any LastingObserver
    /// Wraps a request's observer with the bug; also receives the request's first position.
    let plant: @Sendable (any RequestObserver, Int64) -> any RequestObserver

    func entered(_ phase: CachePhase) { base.entered(phase) }
    func finish() { base.finish() }
    func willEvict(_ range: ByteRange, of url: String) { base.willEvict(range, of: url) }

    func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ retrieval: () -> Result<Retrieval, CacheError>
    ) {
        base.lookedUp(wanted, of: url, by: reader, retrieval)
    }

    func retrieved(_ chunk: ByteRange, of url: String, by reader: Int) {
        base.retrieved(chunk, of: url, by: reader)
    }

    func informed(about url: String, from source: InformationSource) {
        base.informed(about: url, from: source)
    }

    func left(_ reading: Reading, of url: String) { base.left(reading, of: url) }
    func mended(_ url: String?, lost: [ByteRange]) { base.mended(url, lost: lost) }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        plant(base.requestBegan(url: url, start: start), start)
    }
}

/// A request's observer that forwards everything to another one, except what it overrides.
protocol BuggyRequest: RequestObserver {
    var base: any RequestObserver { get }
}

extension BuggyRequest {
    func received(_ count: Int) { base.received(count) }
    func willCommit(_ range: ByteRange) { base.willCommit(range) }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        base.committed(range, stored: stored, acknowledged: acknowledged)
    }

    func saveFailed(_ error: CacheError) { base.saveFailed(error) }

    func willFinish(unsaved: Int64?, isCancelled: Bool) {
        base.willFinish(unsaved: unsaved, isCancelled: isCancelled)
    }

    func endedUnannounced(at position: Int64) { base.endedUnannounced(at: position) }
    func ended(_ end: RequestEnd) { base.ended(end) }
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
