internal import CacheWitness
internal import Foundation
internal import Logging
internal import Synchronization
package import VideoCache
internal import Witness

/// An observer that is told when a command's work is over, and may then delay the process's end.
package protocol LastingObserver: CacheObserver {
    func finish()
}

extension WitnessObserver: LastingObserver {}

extension ObserverGroup: LastingObserver {
    package func finish() {
        for case let member as any LastingObserver in members { member.finish() }
    }
}

enum Watchers {
    /// Asks for the log like `--verbose`, where another program makes the command line.
    private static let logVariable = "DOWNLOADER_LOG"

    /// The witness and the log, if they are asked for, and always the notices.
    static func wanted(verbose: Bool, parts: DownloaderParts) throws -> ObserverGroup {
        var watchers: [any CacheObserver] = [DamageNotice(), LengthNotice()]
        if let witness = try WitnessObserver.wanted() { watchers.append(parts.witness(witness)) }
        if verbose || ProcessInfo.processInfo.environment[logVariable] == "debug" {
            var logger = Logger(label: "downloader") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = .debug
            watchers.append(LogObserver(logger: logger))
        }
        return ObserverGroup(members: watchers)
    }
}

/// Logs the events of each request and of each player, and what is found in the cache, at debug
/// level (F5); each line names its video, and its request or its player.
final class LogObserver: LastingObserver {
    private let logger: Logger
    private let lastRequest = Atomic(0)
    private let cache = Mutex<VideoCache?>(nil)

    init(logger: Logger) { self.logger = logger }

    /// Lets the lines about saves say what the cache has by then.
    func follow(_ videos: VideoCache) { cache.withLock { $0 = videos } }
    func finish() { cache.withLock { $0 = nil } }

    func willEvict(_ range: ByteRange, of url: String) {
        logger.note("evict", ["url": url, "offset": range.offset, "size": range.length])
    }

    func informed(about url: String, from source: InformationSource) {
        logger.note("information", ["url": url, "source": source.rawValue])
    }

    func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ look: () -> Result<Retrieval, CacheError>
    ) {
        let retrieval: Retrieval
        do {
            retrieval = try look().get()
        } catch {
            logger.error("cache unreadable", metadata: ["url": "\(url)", "reason": "\(error)"])
            return
        }
        // What was looked for and what was found are two figures: the documents' first bug.
        let found = retrieval.found.byteCount
        var fields: [String: any Sendable] = [
            "url": url, "wanted": wanted?.description ?? "all",
            "looked_for_bytes": retrieval.claimed.byteCount + retrieval.lost.byteCount,
            "found_bytes": found, "ranges": retrieval.found.count,
            "video_chunks": "\(retrieval.chunksFound) of \(retrieval.chunks)",
            "missing_chunks": retrieval.chunks - retrieval.chunksFound,
            "lost_bytes": retrieval.lost.byteCount,
        ]
        if let reader { fields["player"] = reader }
        logger.note(found > 0 ? "cache hit" : "cache miss", fields)
    }

    func retrieved(_ chunk: ByteRange, of url: String, by reader: Int) {
        logger.note(
            "chunk found",
            ["url": url, "player": reader, "offset": chunk.offset, "size": chunk.length])
    }

    func mended(_ url: String?, lost: [ByteRange]) {
        logger.note(
            "damage",
            [
                "url": url ?? "unknown", "lost_bytes": lost.byteCount,
                "lost": lost.map(\.description).joined(separator: ", "),
            ])
    }

    func left(_ reading: Reading, of url: String) {
        logger.note(
            "player left",
            [
                "url": url, "player": reading.reader, "from_cache": reading.cachedBytes,
                "chunks": reading.chunks, "from_network": reading.networkBytes,
                "damaged_bytes": reading.damaged.byteCount,
                "missing_bytes": reading.missing.byteCount,
                "cancelled_requests": reading.cancelledRequests,
            ])
    }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        let number = lastRequest.add(1, ordering: .relaxed).newValue
        var logger = logger
        logger[metadataKey: "url"] = "\(url)"
        logger[metadataKey: "request"] = "\(number)"
        logger.note("start", ["offset": start])
        return RequestLog(logger: logger, start: start) { [self] in
            guard let videos = cache.withLock(\.self),
                let video = try? videos.video(url), let chunks = try? videos.chunkCount(of: url),
                let cached = try? videos.cachedBytes(of: url)
            else { return [:] }
            let length = video.information.length.map { "\($0)" } ?? "unknown"
            return ["chunks": chunks, "cached": "\(cached) of \(length)"]
        }
    }
}

extension Logger {
    fileprivate func note(_ message: Message, _ fields: [String: any Sendable]) {
        debug(message, metadata: fields.mapValues { "\($0)" })
    }
}

/// Logs one request; bytes are logged now and then, because there are many reads.
private final class RequestLog: RequestObserver {
    private static let step = 128 << 10

    private let logger: Logger
    private let start: Int64
    private let holding: () -> [String: any Sendable]
    private var kind = "threshold"
    private var bytes = 0
    private var loggedBytes = 0
    private var savedBytes: Int64 = 0
    /// How many bytes, from the request's start on, were passed to saves.
    private var passedBytes: Int64 = 0

    init(logger: Logger, start: Int64, holding: @escaping () -> [String: any Sendable]) {
        (self.logger, self.start, self.holding) = (logger, start, holding)
    }

    func received(_ count: Int) {
        if bytes == 0 { logger.note("first bytes", ["count": count]) }
        bytes += count
        if bytes - loggedBytes >= Self.step { logBytes() }
    }

    private func logBytes() {
        guard bytes > loggedBytes else { return }
        loggedBytes = bytes
        logger.note("bytes", ["received": bytes, "accumulated": Int64(bytes) - passedBytes])
    }

    func willCommit(_ range: ByteRange) {
        logBytes()
        logger.note("save", ["kind": kind, "offset": range.offset, "size": range.length])
        passedBytes = range.end - start
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        savedBytes = acknowledged
        let fields: [String: any Sendable] = [
            "kind": kind, "offset": range.offset, "size": range.length, "new": stored,
            "saved": "\(acknowledged) of \(bytes)",
        ]
        logger.note("commit", fields.merging(holding()) { $1 })
    }

    func saveFailed(_ error: CacheError) {
        logger.error("save failed", metadata: ["reason": "\(error)"])
    }

    func willFinish(unsaved: Int64?, isCancelled: Bool) {
        kind = isCancelled ? "cancel" : "remainder"
        logBytes()
        if isCancelled {
            let left = unsaved ?? Int64(bytes) - savedBytes
            logger.note("cancel", ["received": bytes, "saved": savedBytes, "unsaved": left])
        }
        if unsaved == 0 { logger.debug("nothing left to save") }
    }

    func ended(_ end: RequestEnd) {
        let reason =
            switch end {
            case .complete: "complete"
            case .cancelled: "cancelled"
            case .failed(let text): text.shown()
            }
        logger.note("end", ["reason": reason, "received": bytes, "saved": savedBytes])
    }
}
