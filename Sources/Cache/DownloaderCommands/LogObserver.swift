internal import Logging
internal import Synchronization
internal import VideoCache

/// Logs the events of each request, and what is found in the cache, at debug level (F5).
struct LogObserver: CacheObserver {
    let logger: Logger

    func entered(_ phase: CachePhase) {
        if phase == .cancelling { logger.debug("cancel") }
    }

    func willEvict(_ range: ByteRange, of url: String) {
        logger.debug(
            "evict",
            metadata: ["url": "\(url)", "offset": "\(range.offset)", "size": "\(range.length)"])
    }

    func lookedUp(
        _ wanted: ByteRange?, of url: String, _ retrieval: () -> Result<Retrieval, CacheError>
    ) {
        switch retrieval() {
        case .failure(let error): logger.error("cache unreadable", metadata: ["reason": "\(error)"])
        case .success(let retrieval): log(retrieval, of: wanted, url)
        }
    }

    private func log(_ retrieval: Retrieval, of wanted: ByteRange?, _ url: String) {
        let found = retrieval.found.reduce(0) { $0 + $1.length }
        let lost = retrieval.lost.reduce(0) { $0 + $1.length }
        logger.debug(
            found > 0 ? "cache hit" : "cache miss",
            metadata: [
                "url": "\(url)", "wanted": "\(wanted?.description ?? "all")",
                "found_bytes": "\(found)", "ranges": "\(retrieval.found.count)",
                "video_chunks": "\(retrieval.chunksFound) of \(retrieval.chunks)",
                "lost_bytes": "\(lost)",
            ])
    }

    func retrieved(_ chunk: ByteRange, of url: String) {
        logger.debug(
            "chunk found", metadata: ["offset": "\(chunk.offset)", "size": "\(chunk.length)"])
    }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        logger.debug("start", metadata: ["url": "\(url)", "offset": "\(start)"])
        return RequestLog(logger: logger)
    }
}

/// Logs one request; bytes are logged once per commit, because there are many reads.
private final class RequestLog: RequestObserver {
    private let logger: Logger
    private var bytes = 0

    init(logger: Logger) {
        self.logger = logger
    }

    func received(_ count: Int) {
        if bytes == 0 { logger.debug("first bytes", metadata: ["count": "\(count)"]) }
        bytes += count
    }

    func willCommit(_ range: ByteRange) {
        logger.debug("bytes", metadata: ["received": "\(bytes)"])
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        logger.debug(
            "commit",
            metadata: [
                "offset": "\(range.offset)", "size": "\(range.length)", "new": "\(stored)",
                "acknowledged": "\(acknowledged)",
            ])
    }

    func saveFailed(_ error: CacheError) {
        logger.error("save failed", metadata: ["reason": "\(error)"])
    }

    func ended(_ end: RequestEnd) {
        let reason =
            switch end {
            case .complete: "complete"
            case .cancelled: "cancelled"
            case .failed(let text): text
            }
        logger.debug("end", metadata: ["reason": "\(reason)", "received": "\(bytes)"])
    }
}

/// Reports damage on standard error, even with `--quiet`.
struct DamageNotice: CacheObserver {
    func entered(_ phase: CachePhase) {}

    func requestBegan(url: String, start: Int64) -> any RequestObserver { SilentObserver() }

    func mended(_ url: String?, lost: [ByteRange]) {
        let bytes = lost.reduce(0) { $0 + $1.length }
        let what = url.map { "what was cached of \($0): \(bytes) bytes are lost" }
        StandardError.write(
            "downloader: damage was found in \(what ?? "the cache's index: what it has lost is dropped");"
                + " what is missing is fetched anew\n")
    }
}

/// Reports on standard error that nothing is saved, and when it is again (S6): the disk is low or
/// full, or the cache can only be read, or was removed.
final class DiskNotice: CacheObserver {
    private let isLow = Atomic(false)

    func entered(_ phase: CachePhase) {}

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        Request(notice: self, beganLow: isLow.load(ordering: .sequentiallyConsistent))
    }

    private struct Request: RequestObserver {
        let notice: DiskNotice
        /// A request that began before is saved to its end, which says nothing of the disk.
        let beganLow: Bool

        func received(_ count: Int) {}
        func willCommit(_ range: ByteRange) {}
        func ended(_ end: RequestEnd) {}

        func saveFailed(_ error: CacheError) {
            guard Self.isLasting(error),
                !notice.isLow.exchange(true, ordering: .sequentiallyConsistent)
            else { return }
            StandardError.write(
                "downloader: \(error); playing goes on, and nothing is saved meanwhile\n")
        }

        private static func isLasting(_ error: CacheError) -> Bool {
            switch error {
            case .diskLow, .diskFull, .readOnly, .moved: true
            default: false
            }
        }

        func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
            guard beganLow, notice.isLow.exchange(false, ordering: .sequentiallyConsistent)
            else { return }
            StandardError.write("downloader: there is room again, and saving goes on\n")
        }
    }
}
