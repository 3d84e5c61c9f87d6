internal import Logging
internal import VideoCache

/// Logs the events of each request, at debug level (F5).
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
            "downloader: damage was found in \(what ?? "a video's row, and the video is dropped");"
                + " what is missing is fetched anew\n")
    }
}
