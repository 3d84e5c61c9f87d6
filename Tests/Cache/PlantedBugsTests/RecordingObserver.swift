import DownloaderCommands
import VideoCache

/// An observer, of a command and of its requests, that records its calls.
struct RecordingObserver: LastingObserver, RequestObserver {
    let log = CallLog()

    func entered(_ phase: CachePhase) { log.note("entered", phase) }
    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        log.note("requestBegan", url, start)
        return self
    }
    func willEvict(_ range: ByteRange, of url: String) { log.note("willEvict", range, url) }
    func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ retrieval: () -> Result<Retrieval, CacheError>
    ) {
        log.note("lookedUp", wanted as Any, url, reader as Any, retrieval() as Any)
    }
    func retrieved(_ chunk: ByteRange, of url: String, by reader: Int) {
        log.note("retrieved", chunk, url, reader)
    }
    func informed(about url: String, from source: InformationSource) {
        log.note("informed", url, source)
    }
    func left(_ reading: Reading, of url: String) { log.note("left", reading, url) }
    func mended(_ url: String?, lost: [ByteRange]) { log.note("mended", url ?? "", lost) }
    func finish() { log.note("finish") }
    func received(_ count: Int) { log.note("received", count) }
    func willCommit(_ range: ByteRange) { log.note("willCommit", range) }
    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        log.note("committed", range, stored, acknowledged)
    }
    func saveFailed(_ error: CacheError) { log.note("saveFailed", error) }
    func willFinish(unsaved: Int64?, isCancelled: Bool) {
        log.note("willFinish", unsaved as Any, isCancelled)
    }
    func endedUnannounced(at position: Int64) { log.note("endedUnannounced", position) }
    func ended(_ end: RequestEnd) { log.note("ended", end) }

    private static let range = ByteRange(offset: 3, length: 4)

    static let calls: [Call<any LastingObserver>] = [
        Call("entered") { $0.entered(.evicting) },
        Call("requestBegan") { _ = $0.requestBegan(url: "u", start: 1) },
        Call("willEvict") { $0.willEvict(range, of: "u") },
        Call("lookedUp") { $0.lookedUp(range, of: "u", by: 5) { .failure(.closed(path: "p")) } },
        Call("retrieved") { $0.retrieved(range, of: "u", by: 5) },
        Call("informed") { $0.informed(about: "u", from: .network) },
        Call("left") { $0.left(Reading(reader: 5), of: "u") },
        Call("mended") { $0.mended("u", lost: [range]) },
        Call("finish") { $0.finish() },
    ]

    static let requestCalls: [Call<any RequestObserver>] = [
        Call("received") { $0.received(6) },
        Call("willCommit") { $0.willCommit(range) },
        Call("committed") { $0.committed(range, stored: 2, acknowledged: 1) },
        Call("saveFailed") { $0.saveFailed(.closed(path: "p")) },
        Call("willFinish") { $0.willFinish(unsaved: 8, isCancelled: true) },
        Call("endedUnannounced") { $0.endedUnannounced(at: 7) },
        Call("ended") { $0.ended(.complete) },
    ]
}

final class RecordingHandler: HTTPResponseHandler {
    let log = CallLog()

    func head(_ head: HTTPResponseHead) { log.note("head", head) }
    func body(_ bytes: UnsafeRawBufferPointer) { log.note("body", [UInt8](bytes)) }

    static let calls: [Call<any HTTPResponseHandler>] = [
        Call("head") { try $0.head(HTTPResponseHead(status: 206)) },
        Call("body") { handler in try [7, 8].withUnsafeBytes { try handler.body($0) } },
    ]
}

/// A transport that makes one call of its handler.
struct CallingTransport: HTTPTransport {
    let call: Call<any HTTPResponseHandler>

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        _ = try call.use(handler)
    }
}
