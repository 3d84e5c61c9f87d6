/// Handles the response to the request for bytes 0-1, of which only the head is used (C3).
final class ProbeResponse: HTTPResponseHandler {
    private let url: String
    private let watcher: any RequestObserver
    private let phases: PhaseTracker

    /// The information from the head; nil until it has arrived.
    private(set) var information: ContentInformation?
    /// The delay that the origin asks for with `Retry-After`.
    private(set) var retryAfter: Duration?

    /// Creates a handler for a response that has not arrived yet.
    init(url: String, watcher: any RequestObserver, phases: PhaseTracker) {
        self.url = url
        self.watcher = watcher
        self.phases = phases
    }

    func head(_ head: HTTPResponseHead) throws {
        retryAfter = RetryAfter.duration(head)
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
            // A server that sends more than two bytes is stopped: they are not needed.
            if (contentRange.range?.length ?? 0) > 2 { throw EnoughCame() }
        case 200:
            try head.refuseEncoding(url: url)
            information = ContentInformation(
                head: head, length: head.contentLength, acceptsRanges: false)
            throw EnoughCame()
        case 416 where contentRange?.total == 0:
            information = ContentInformation(head: head, length: 0, acceptsRanges: true)
            throw EnoughCame()
        default:
            throw DownloadError.status(url: url, code: head.status)
        }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
    }
}
