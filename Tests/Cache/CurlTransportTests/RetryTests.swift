import Foundation
import Synchronization
import Testing

@testable import CurlTransport
@testable import VideoCache

@Suite("Trying again after failures that may pass", .serialized) struct RetryTests {
    let cache: TemporaryCache
    let bytes = videoBytes(600_000)

    init() throws { cache = try TemporaryCache() }

    private final class Pauses: Sendable {
        private let noted = Mutex<[Duration]>([])
        var all: [Duration] { noted.withLock { $0 } }

        func policy(
            _ retries: Int, _ onPause: @escaping @Sendable (Cancellation) -> Void = { _ in }
        )
            -> RetryPolicy
        {
            RetryPolicy(
                retries: retries, firstPause: .seconds(1), longestPause: .seconds(3)
            ) { [self] duration, cancellation in
                noted.withLock { $0.append(duration) }
                onPause(cancellation)
            }
        }
    }

    @Test("pauses double up to a limit, then the failure is told") func backOff() throws {
        let origin = try TestOrigin { _ in Reply(status: 503) }
        let pauses = Pauses()
        #expect(throws: DownloadError.status(url: origin.url, code: 503)) {
            try cache.download(origin.url, retry: pauses.policy(4)).run()
        }
        #expect(pauses.all == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        // At last it is asked for the whole, which some origins refuse less (K2).
        #expect(origin.ranges == Array(repeating: "bytes=0-1", count: 5) + ["none"])
    }

    @Test("progress begins the count anew: each attempt resumes where the last one stopped")
    func progress() throws {
        let origin = try TestOrigin.video(bytes) { request, reply in
            if request.range?.last == nil { reply.sendsOnly = 100_000 }
        }
        let pauses = Pauses()
        #expect(try cache.download(origin.url, retry: pauses.policy(1)).run().isComplete)
        #expect(origin.ranges.dropFirst() == (0..<6).map { "bytes=\($0 * 100_000)-" }[...])
        #expect(pauses.all.allSatisfy { $0 == .seconds(1) })
    }

    @Test(
        "what will not pass is not tried again, except in another form",
        arguments: [400, 401, 403, 404, 410, 416])
    func permanent(status: Int) throws {
        let origin = try TestOrigin { _ in Reply(status: status) }
        #expect(throws: DownloadError.self) {
            try cache.download(origin.url, retry: .atOnce(5)).run()
        }
        let isOfTheForm = [400, 403, 416].contains(status)
        let forms = ["bytes=0-1"] + (isOfTheForm ? ["none"] : [])
        // After 403 each is tried with a Referer (``ExtraFieldTests``).
        #expect(origin.ranges == (status == 403 ? forms.flatMap { [$0, $0] } : forms))
    }

    @Test("Retry-After is honoured up to a limit") func retryAfter() throws {
        let origin = try TestOrigin { _ in Reply(status: 429, headers: ["Retry-After": "20"]) }
        let pauses = Pauses()
        #expect(throws: DownloadError.self) {
            try cache.download(origin.url, retry: pauses.policy(2)).run()
        }
        #expect(pauses.all == [.seconds(20), .seconds(20)])
        let busy = try TestOrigin { _ in Reply(status: 503, headers: ["Retry-After": "31"]) }
        #expect(throws: DownloadError.self) {
            try cache.download(busy.url, retry: pauses.policy(2)).run()
        }
        #expect(busy.requests.count == 1, "it asks for more time than anybody waits")
    }

    @Test("a cancel ends the pause; what came is saved") func cancelledPause() throws {
        let origin = try TestOrigin { _ in Reply(status: 503) }
        let pauses = Pauses()
        let cancellation = Cancellation()
        let download = Download(
            url: origin.url, cache: cache.cache, transport: CurlTransport(),
            cancellation: cancellation, retry: pauses.policy(9) { $0.cancel() })
        #expect(try download.run().isCancelled)
        #expect(pauses.all.count == 1 && origin.requests.count == 1)
        let clock = ContinuousClock()
        let began = clock.now
        RetryPolicy.wait(.seconds(60), cancellation)
        #expect(clock.now - began < .seconds(30), "the real pause ends early too")
    }

    @Test("a closed port: a player is told after the retries") func offline() throws {
        let origin = try TestOrigin.video(bytes)
        origin.stop()
        let pauses = Pauses()
        let loader = cache.loader(retry: pauses.policy(2))
        #expect(throws: TransportError.self) {
            try loader.reader(of: origin.url, range: nil).next()
        }
        #expect(pauses.all == [.seconds(1), .seconds(2)])
        loader.close()
    }
}
