import Synchronization
import Testing

@testable import VideoCache

/// What a resumed download requests, and what a cancel in the middle of a read keeps.
///
/// Only the tests of the transports noticed errors in either: a cache that resumed without a
/// condition, or dropped the read in which it was cancelled, passed all its own tests.
@Suite("A download goes on under a condition, and keeps the read that a cancel falls into")
struct ConditionalResumeTests {
    private static let url = "http://127.0.0.1/v"
    private let folder = TemporaryFolder()
    private let cache: VideoCache
    private let bytes = videoBytes(1_000_000)

    init() throws { cache = try VideoCache(folder: folder.path) }

    private func download(
        _ transport: AnsweringTransport, observer: any CacheObserver = SilentObserver(),
        cancellation: Cancellation = Cancellation()
    ) -> Download {
        Download(
            url: Self.url, cache: cache, transport: transport, observer: observer,
            cancellation: cancellation)
    }

    /// An origin, or one whose connection is lost after 600,000 bytes.
    private func transport(isCut: Bool = false) -> AnsweringTransport {
        AnsweringTransport { [bytes] request, number in
            let answer = AnsweringTransport.Answer.honest(request, bytes, etag: "\"one\"")
            return isCut && number > 0
                ? answer.cut(after: 600_000, by: .truncated(url: Self.url)) : answer
        }
    }

    @Test("a resume asks for the rest of this version only (C8)")
    func ifRange() throws {
        #expect(throws: TransportError.self) { try download(transport(isCut: true)).run() }
        let origin = transport()
        #expect(try download(origin).run().isComplete)
        let last = try #require(origin.requests.last)
        #expect(last.target == .from(600_000))
        #expect(last.ifRange == "\"one\"")
        #expect(try cache.beginning(of: Self.url) == bytes)
    }

    @Test("so does a player's reader")
    func ifRangeOfAReader() throws {
        #expect(throws: TransportError.self) { try download(transport(isCut: true)).run() }
        let origin = transport()
        let loader = VideoLoader(cache: cache, transport: origin)
        let reader = loader.reader(of: Self.url, range: nil)
        #expect(try reader.all() == bytes)
        loader.close()
        #expect(origin.requests.last?.ifRange == "\"one\"")
    }

    @Test("a cancel in the middle of a read ends the request, and the read is saved (S3)")
    func cancelWithinARead() throws {
        let origin = AnsweringTransport(heedsCancellation: false) { [bytes] request, _ in
            .honest(request, bytes)
        }
        let cancellation = Cancellation()
        let observer = CancellingObserver(after: 300_000, cancellation)
        let summary = try download(origin, observer: observer, cancellation: cancellation).run()
        #expect(summary.isCancelled)
        #expect(observer.received >= 300_000)
        #expect(observer.received < bytes.count, "the origin was not read to its end")
        #expect(summary.cachedBytes == observer.received)
    }
}

private final class CancellingObserver: CacheObserver, RequestObserver {
    private let limit: Int64
    private let cancellation: Cancellation
    private let count = Mutex<Int64>(0)

    init(after limit: Int64, _ cancellation: Cancellation) {
        (self.limit, self.cancellation) = (limit, cancellation)
    }

    /// The bytes of the last request.
    var received: Int64 { count.withLock { $0 } }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        count.withLock { $0 = 0 }
        return self
    }

    func received(_ count: Int) {
        let sum = self.count.withLock { sum in
            sum += Int64(count)
            return sum
        }
        if sum >= limit { cancellation.cancel() }
    }
}
