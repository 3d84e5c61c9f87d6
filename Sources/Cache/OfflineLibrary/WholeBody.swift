internal import Foundation
internal import VideoCache

/// Fetches small resources, the feed and the images, as a whole.
struct WholeBodyFetcher: Sendable {
    let transport: any HTTPTransport
    let observer: any CacheObserver
    let cancellation: Cancellation
    let limit: Int
    /// True if a page, such as one that asks for a login, is not what is wanted (K1).
    var refusesDocuments = false

    /// Fetches a resource; the request's bytes are acknowledged after `keep` has returned.
    func fetch<Value>(
        _ url: String, decode: (Data) throws -> Value, keep: ((Value) throws -> Void)?
    ) throws -> Value {
        let request = HTTPRequest(url: url, target: .whole, readSize: SavePolicy.maximumReadSize)
        let watcher = observer.requestBegan(url: url, start: 0)
        observer.entered(.connecting)
        do {
            let response = WholeBodyResponse(of: url, to: self, watcher: watcher)
            try transport.perform(request, handler: response, cancellation: cancellation)
            let body = try response.whole()
            let value = try decode(body)
            if let keep {
                let bytes = ByteRange(offset: 0, length: Int64(body.count))
                observer.entered(.committing)
                watcher.willCommit(bytes)
                try keep(value)
                watcher.committed(bytes, stored: bytes.length, acknowledged: bytes.length)
            }
            observer.entered(.completing)
            watcher.ended(.complete)
            return value
        } catch {
            let wasCancelled = error as? TransportError == .cancelled
            observer.entered(wasCancelled ? .cancelling : .completing)
            watcher.ended(wasCancelled ? .cancelled : .failed("\(error)"))
            throw error
        }
    }
}

private final class WholeBodyResponse: HTTPResponseHandler {
    private let url: String
    private let fetcher: WholeBodyFetcher
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private var announced: Int?
    private var bytes = Data()

    init(of url: String, to fetcher: WholeBodyFetcher, watcher: any RequestObserver) {
        (self.url, self.fetcher, self.watcher) = (url, fetcher, watcher)
        phases = PhaseTracker(observer: fetcher.observer, current: .connecting)
    }

    func head(_ head: HTTPResponseHead) throws {
        guard head.status != 206 else { throw DownloadError.status(url: url, code: head.status) }
        try head.expectWhole(of: url)
        let type = head["content-type"]
        if fetcher.refusesDocuments, MediaKind(contentType: type) == .document {
            throw DownloadError.notTheVideo(url: url, answer: .otherKind(type: type ?? ""))
        }
        announced = head["content-length"].flatMap { Int($0) }
        guard announced ?? 0 <= fetcher.limit else { throw tooLarge }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
        guard self.bytes.count + bytes.count <= fetcher.limit else { throw tooLarge }
        self.bytes.append(contentsOf: bytes)
    }

    private var tooLarge: FeedError { .tooLarge(url: url, limit: fetcher.limit) }

    /// The body; throws if it is empty, or shorter than announced, even if the transport accepted that.
    func whole() throws -> Data {
        let missing = (announced ?? bytes.count) - bytes.count
        guard missing <= 0 else { throw DownloadError.truncated(url: url, missing: Int64(missing)) }
        // It would be kept for good.
        guard !bytes.isEmpty else { throw DownloadError.notTheVideo(url: url, answer: .empty) }
        return bytes
    }
}
