internal import Foundation
internal import VideoCache

/// Fetches small resources, the feed and the images, as a whole.
struct WholeBodyFetcher: Sendable {
    let transport: any HTTPTransport
    let observer: any CacheObserver
    let cancellation: Cancellation
    /// The most bytes that a body may have.
    let limit: Int
    /// True if a page, such as one that asks for a login, is not what is wanted (K1).
    var refusesDocuments = false

    /// Fetches a resource on the calling thread.
    ///
    /// - Parameter keep: saves the value; the request's bytes are acknowledged after it has
    ///   returned.
    func fetch<Value>(
        _ url: String, decode: (Data) throws -> Value, keep: ((Value) throws -> Void)?
    ) throws -> Value {
        let request = HTTPRequest(url: url, target: .whole, readSize: SavePolicy.maximumReadSize)
        let watcher = observer.requestBegan(url: url, start: 0)
        observer.entered(.connecting)
        do {
            let response = WholeBodyResponse(
                url: url, limit: limit, refusesDocuments: refusesDocuments, watcher: watcher,
                phases: PhaseTracker(observer: observer, current: .connecting))
            try transport.perform(request, handler: response, cancellation: cancellation)
            let body = try response.whole()
            let value = try decode(body)
            if let keep { try save(value, byteCount: body.count, watcher: watcher, with: keep) }
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

    private func save<Value>(
        _ value: Value, byteCount: Int, watcher: any RequestObserver,
        with keep: (Value) throws -> Void
    ) throws {
        let bytes = ByteRange(offset: 0, length: Int64(byteCount))
        observer.entered(.committing)
        watcher.willCommit(bytes)
        try keep(value)
        watcher.committed(bytes, stored: bytes.length, acknowledged: bytes.length)
    }
}

/// Receives a whole response's body into memory.
private final class WholeBodyResponse: HTTPResponseHandler {
    private let url: String
    private let limit: Int
    private let refusesDocuments: Bool
    private let watcher: any RequestObserver
    private let phases: PhaseTracker
    private var announced: Int?
    private var bytes = Data()

    init(
        url: String, limit: Int, refusesDocuments: Bool, watcher: any RequestObserver,
        phases: PhaseTracker
    ) {
        (self.url, self.limit, self.refusesDocuments) = (url, limit, refusesDocuments)
        (self.watcher, self.phases) = (watcher, phases)
    }

    func head(_ head: HTTPResponseHead) throws {
        guard head.status != 206 else { throw DownloadError.status(url: url, code: head.status) }
        try head.expectWhole(of: url)
        let type = head["content-type"]
        if refusesDocuments, MediaKind(contentType: type) == .document {
            throw DownloadError.notTheVideo(url: url, answer: .otherKind(type: type ?? ""))
        }
        announced = head["content-length"].flatMap { Int($0) }
        guard announced ?? 0 <= limit else { throw FeedError.tooLarge(url: url, limit: limit) }
    }

    func body(_ bytes: UnsafeRawBufferPointer) throws {
        watcher.received(bytes.count)
        phases.enter(.receiving)
        guard self.bytes.count + bytes.count <= limit else {
            throw FeedError.tooLarge(url: url, limit: limit)
        }
        self.bytes.append(contentsOf: bytes)
    }

    /// The body; throws if it is empty, or shorter than announced, even if the transport accepted that.
    func whole() throws -> Data {
        let missing = (announced ?? bytes.count) - bytes.count
        guard missing <= 0 else { throw DownloadError.truncated(url: url, missing: Int64(missing)) }
        // It would be kept for good.
        guard !bytes.isEmpty else { throw DownloadError.notTheVideo(url: url, answer: .empty) }
        return bytes
    }
}
