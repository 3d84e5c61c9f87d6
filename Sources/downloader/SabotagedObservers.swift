internal import Synchronization
internal import VideoCache

/// Reports a commit as returned before it has begun.
struct EarlyObserver: LastingObserver {
    let base: any CacheObserver

    func entered(_ phase: CachePhase) { base.entered(phase) }

    func finish() { (base as? any LastingObserver)?.finish() }

    func willEvict(_ range: ByteRange, of url: String) { base.willEvict(range, of: url) }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        EarlyRequestObserver(base: base.requestBegan(url: url, start: start), start: start)
    }
}

private struct EarlyRequestObserver: RequestObserver {
    let base: any RequestObserver
    let start: Int64

    func received(_ count: Int) { base.received(count) }

    func willCommit(_ range: ByteRange) {
        base.committed(range, stored: range.length, acknowledged: range.end - start)
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {}

    func saveFailed(_ error: CacheError) { base.saveFailed(error) }

    func ended(_ end: RequestEnd) { base.ended(end) }
}

/// Reports what was received only when it is saved.
struct LateObserver: LastingObserver {
    let base: any CacheObserver

    func entered(_ phase: CachePhase) { base.entered(phase) }

    func finish() { (base as? any LastingObserver)?.finish() }

    func willEvict(_ range: ByteRange, of url: String) { base.willEvict(range, of: url) }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        LateRequestObserver(base: base.requestBegan(url: url, start: start))
    }
}

private final class LateRequestObserver: RequestObserver {
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

    func willCommit(_ range: ByteRange) { base.willCommit(range) }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        note()
        base.committed(range, stored: stored, acknowledged: acknowledged)
    }

    func saveFailed(_ error: CacheError) { base.saveFailed(error) }

    func ended(_ end: RequestEnd) {
        note()
        base.ended(end)
    }
}

/// Reports no request as over.
struct EndlessObserver: LastingObserver {
    let base: any CacheObserver

    func entered(_ phase: CachePhase) { base.entered(phase) }

    func finish() { (base as? any LastingObserver)?.finish() }

    func willEvict(_ range: ByteRange, of url: String) { base.willEvict(range, of: url) }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        EndlessRequestObserver(base: base.requestBegan(url: url, start: start))
    }
}

private struct EndlessRequestObserver: RequestObserver {
    let base: any RequestObserver

    var arrivalCounter: (@Sendable (Int) -> Void)? { base.arrivalCounter }

    func received(_ count: Int) { base.received(count) }

    func willCommit(_ range: ByteRange) { base.willCommit(range) }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        base.committed(range, stored: stored, acknowledged: acknowledged)
    }

    func saveFailed(_ error: CacheError) { base.saveFailed(error) }

    func ended(_ end: RequestEnd) {}
}
