/// Takes the answer to a request for a video's bytes: judges its head, saves its body.
final class VideoResponse: HTTPResponseHandler {
    private let request: HTTPRequest
    private let start: Int64
    private let asked: Int64?
    private let known: CachedVideo?
    private let download: Download
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    // Where the body must not go beyond; nil when nobody knows where it ends.
    private var end: Int64?

    /// What saves the body; nil until the head was found good.
    private(set) var saver: IncrementalSaver?

    /// An answer that has not come yet.
    ///
    /// - Parameters:
    ///   - request: what was asked.
    ///   - start: the first byte position.
    ///   - asked: how many bytes are wanted; nil when there is no telling.
    ///   - known: the video as the cache knows it.
    ///   - download: what the request belongs to.
    ///   - watcher: watches the request.
    ///   - phases: where the download is.
    init(
        request: HTTPRequest, start: Int64, asked: Int64?, known: CachedVideo?,
        download: Download, watcher: any RequestObserver, phases: PhaseTracker
    ) {
        self.request = request
        self.start = start
        self.asked = asked
        self.known = known
        self.download = download
        self.watcher = watcher
        self.phases = phases
    }

    func head(_ head: HTTPResponseHead) throws {
        let (video, replacement) =
            request.target == .whole ? try takeWhole(head) : (try takeRange(head), nil)
        saver = IncrementalSaver(
            video: video, replacement: replacement, start: start, store: download.store,
            schedule: download.schedule,
            observer: watcher, phases: phases)
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
        guard let saver else { return }
        let room = end.map { max(0, $0 - saver.position) } ?? Int64.max
        let wanted = Int(min(Int64(bytes.count), room))
        try saver.append(UnsafeRawBufferPointer(rebasing: bytes[..<wanted]))
        if wanted < bytes.count {
            throw DownloadError.wrongRange(
                url: request.url, asked: request.rangeHeader ?? "the whole", answered: "more")
        }
        // Checked after the bytes are taken: what came before the cancel is saved too (S3).
        if download.cancellation.isCancelled { throw TransportError.cancelled }
    }

    /// Saves the remainder (S2), and notes the length where only the end could tell it.
    func finish(endedWell: Bool) throws {
        guard let saver else { return }
        try saver.finish()
        if endedWell { try saver.finishReplacing() }
        guard endedWell, request.target == .whole,
            let video = try download.store.video(url: request.url), video.id == saver.video.id,
            video.information.length == nil
        else { return }
        var information = video.information
        information.length = saver.position
        _ = try download.store.store(information, url: request.url)
    }

    /// A 206 that continues what is cached, or the reason why it does not.
    private func takeRange(_ head: HTTPResponseHead) throws -> CachedVideo {
        let contentRange = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 206: break
        case 200: throw RepresentationChanged()
        case 416 where contentRange?.total != known?.information.length:
            throw RepresentationChanged()
        default: throw DownloadError.status(url: request.url, code: head.status)
        }
        try head.refuseEncoding(url: request.url)
        guard let known, let contentRange, let range = contentRange.range else {
            throw wrongRange(head)
        }
        let facts = ContentInformation(head: head, length: contentRange.total)
        if known.information.contradicts(facts) { throw RepresentationChanged() }
        guard range.offset == start else { throw wrongRange(head) }
        end = min(range.end, asked.map { start + $0 } ?? range.end)
        return known
    }

    /// A 200 from the first byte on, and the facts that replace what is cached of other bytes.
    private func takeWhole(
        _ head: HTTPResponseHead
    ) throws -> (video: CachedVideo, replacement: ContentInformation?) {
        guard head.status == 200 else {
            throw DownloadError.status(url: request.url, code: head.status)
        }
        try head.refuseEncoding(url: request.url)
        let length = head["content-length"].flatMap { Int64($0) }
        let wasSeenWithoutRanges = known?.information.acceptsRanges == false
        let facts = ContentInformation(
            head: head, length: length, acceptsRanges: wasSeenWithoutRanges ? false : nil)
        end = length
        if let known {
            // Without a strong validator nobody can say that the cached bytes are these bytes.
            let isSame = facts.strongETag != nil && facts.strongETag == known.information.strongETag
            if isSame, !known.information.contradicts(facts) { return (known, nil) }
            return (known, facts)
        }
        return (try download.store.store(facts, url: request.url), nil)
    }

    private func wrongRange(_ head: HTTPResponseHead) -> DownloadError {
        .wrongRange(
            url: request.url, asked: request.rangeHeader ?? "the whole",
            answered: head["content-range"] ?? "no range")
    }
}

/// Takes the answer to the request for bytes 0-1, of which only the head matters (C3).
final class ProbeResponse: HTTPResponseHandler {
    private let url: String
    private let watcher: any RequestObserver
    private let phases: PhaseTracker

    /// What the head told; nil until it has come.
    private(set) var information: ContentInformation?

    /// An answer that has not come yet.
    init(url: String, watcher: any RequestObserver, phases: PhaseTracker) {
        self.url = url
        self.watcher = watcher
        self.phases = phases
    }

    func head(_ head: HTTPResponseHead) throws {
        let contentRange = head["content-range"].flatMap(ContentRange.init)
        switch head.status {
        case 206:
            try head.refuseEncoding(url: url)
            guard let contentRange, contentRange.range?.offset == 0 else {
                throw DownloadError.wrongRange(
                    url: url, asked: "bytes=0-1", answered: head["content-range"] ?? "no range")
            }
            information = ContentInformation(
                head: head, length: contentRange.total, acceptsRanges: true)
        case 200:
            try head.refuseEncoding(url: url)
            information = ContentInformation(
                head: head, length: head["content-length"].flatMap { Int64($0) },
                acceptsRanges: false)
            throw HeadWasEnough()
        case 416 where contentRange?.total == 0:
            information = ContentInformation(head: head, length: 0, acceptsRanges: true)
            throw HeadWasEnough()
        default:
            throw DownloadError.status(url: url, code: head.status)
        }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
    }
}

extension HTTPResponseHead {
    /// Throws when the body is encoded: its bytes are not the video's then.
    fileprivate func refuseEncoding(url: String) throws(DownloadError) {
        let encoding = self["content-encoding"]?.lowercased() ?? "identity"
        guard encoding == "identity" else { throw .encoded(url: url, encoding: encoding) }
    }
}
