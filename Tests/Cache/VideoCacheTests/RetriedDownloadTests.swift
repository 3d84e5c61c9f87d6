import Testing

@testable import VideoCache

/// Downloads that fail and are tried again, without a network: which requests follow a failure.
@Suite("A download goes on after failures that may pass")
struct RetriedDownloadTests {
    private let folder = TemporaryFolder()
    private let cache: VideoCache
    private let bytes = videoBytes(600_000)
    private let url = "http://127.0.0.1/v.mp4"
    private let pauses = Pauses()

    init() throws { cache = try VideoCache(folder: folder.path) }

    private func download(_ origin: AnsweringTransport, retries: Int) throws -> DownloadSummary {
        try Download(url: url, cache: cache, transport: origin, retry: pauses.policy(retries)).run()
    }

    private func expectWhole() throws { #expect(try cache.beginning(of: url).elementsEqual(bytes)) }

    @Test("a failure of the network, twice before the first byte, and twice in the middle")
    func network() throws {
        let failure = TransportError.timedOut(url: "u")
        let origin = AnsweringTransport { [bytes] request, number in
            switch number {
            case 0, 1: .failing(failure)
            // The body breaks off in the middle, and the next connection fails as well.
            case 3: .honest(request, bytes).cut(after: 200_000, by: failure)
            case 4: .failing(failure)
            default: .honest(request, bytes)
            }
        }
        let summary = try download(origin, retries: 2)
        #expect(summary.isComplete && summary.requests == 6)
        #expect(
            origin.ranges == [
                "bytes=0-1", "bytes=0-1", "bytes=0-1", "bytes=0-", "bytes=200000-",
                "bytes=200000-",
            ])
        // The 200,000 bytes were progress.
        #expect(pauses.all == [.seconds(1), .seconds(2), .seconds(1), .seconds(2)])
        try expectWhole()
    }

    @Test("a status that may pass") func status() throws {
        let origin = AnsweringTransport { [bytes] request, number in
            [0, 2].contains(number) ? .status(503) : .honest(request, bytes)
        }
        #expect(try download(origin, retries: 2).isComplete)
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-1", "bytes=0-", "bytes=0-"])
        try expectWhole()
    }

    @Test(
        "a status that stays is asked for once, and one with a wish for more time than is waited",
        arguments: [(404, nil), (503, 31)] as [(Int, Int?)])
    func permanent(code: Int, seconds: Int?) throws {
        let wish = seconds.map { ["Retry-After": "\($0)"] } ?? [:]
        let origin = AnsweringTransport { _, _ in .status(code, wish) }
        let error =
            seconds.map { DownloadError.busy(url: url, code: code, seconds: $0) }
            ?? .status(url: url, code: code)
        #expect(throws: error) { try download(origin, retries: 5) }
        #expect(origin.requests.count == 1)
        #expect(pauses.all == [])
    }

    @Test("the error of the last attempt is told, after as many as are allowed")
    func givesUp() throws {
        let origin = AnsweringTransport { [bytes] request, number in
            number == 0
                ? .honest(request, bytes)
                : .failing(number == 3 ? .timedOut(url: "last") : .truncated(url: "before"))
        }
        #expect(throws: TransportError.timedOut(url: "last")) { try download(origin, retries: 2) }
        #expect(origin.requests.count == 4)
        #expect(pauses.all == [.seconds(1), .seconds(2)])
    }

    /// K7: bytes that had come before are no progress, so the attempts are counted.
    @Test("an answer that brings nothing new begins no new count")
    func withoutProgress() throws {
        let origin = AnsweringTransport { [bytes] request, number in
            let answer = AnsweringTransport.Answer.honest(request, bytes)
            return number == 0
                ? answer : answer.cut(after: number == 1 ? 100_000 : 0, by: .truncated(url: "u"))
        }
        #expect(throws: TransportError.truncated(url: "u")) { try download(origin, retries: 2) }
        // The probe, one answer with 100,000 bytes, and then as many as without progress.
        #expect(
            origin.ranges == ["bytes=0-1", "bytes=0-"] + Array(repeating: "bytes=100000-", count: 2)
        )
        #expect(try cache.cachedBytes(of: url) == 100_000)
    }

    @Test("what an origin asks for is waited before each attempt", arguments: [429, 503])
    func retryAfter(code: Int) throws {
        let origin = AnsweringTransport { [bytes] request, number in
            switch number {
            case 1: .status(code, ["Retry-After": "20"])
            case 2: .failing(.timedOut(url: "u"))
            case 3: .status(code, ["Retry-After": "7"])
            default: .honest(request, bytes)
            }
        }
        #expect(try download(origin, retries: 3).isComplete)
        // What was asked for at one attempt is not asked for at the next one.
        #expect(pauses.all == [.seconds(20), .seconds(2), .seconds(7)])
    }

    @Test("a cancel ends the pause, and nothing is asked for again") func cancelledPause() throws {
        let origin = AnsweringTransport { _, _ in .status(503) }
        let cancellation = Cancellation()
        let download = Download(
            url: url, cache: cache, transport: origin, cancellation: cancellation,
            retry: RetryPolicy(retries: 9) { $1.cancel() })
        #expect(try download.run().isCancelled)
        #expect(origin.requests.count == 1)
        let clock = ContinuousClock()
        let began = clock.now
        RetryPolicy.wait(.seconds(60), cancellation)
        #expect(clock.now - began < .seconds(30), "the real pause ends early too")
    }

    /// K2: an origin may refuse what it does not know, and serve a plain request.
    @Test("when all attempts have failed the whole is asked for once")
    func lastResort() throws {
        let origin = AnsweringTransport { [bytes] request, _ in
            request.target == .whole ? .honest(request, bytes) : .status(500)
        }
        #expect(try download(origin, retries: 1).isComplete)
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-1", "whole"])
        try expectWhole()
    }

    // MARK: a 416 that tells where another version ends

    /// What is cached of the old version ends where the new one does, so a 416 is right there.
    ///
    /// Taken for the end of the old version, it made the video complete with bytes that the origin
    /// no longer had.
    @Test("a 416 at the end of what is cached tells of another version", arguments: [416, 206])
    func toldEnd(status: Int) throws {
        let other = videoBytes(200_000, seed: 9)
        let first = AnsweringTransport { [bytes] request, number in
            number == 0
                ? .honest(request, bytes)
                : .honest(request, bytes).cut(after: 200_000, by: .timedOut(url: "u"))
        }
        #expect(throws: TransportError.self) { try download(first, retries: 0) }
        #expect(try cache.cachedBytes(of: url) == 200_000)
        let second = AnsweringTransport { request, _ in
            guard request.target == .whole else {
                let range = status == 416 ? "bytes */200000" : "bytes 200000-199999/200000"
                return .status(status, ["Content-Range": range])
            }
            return .honest(request, other, etag: "\"v2\"")
        }
        let summary = try download(second, retries: 0)
        #expect(summary.isComplete && summary.length == 200_000)
        #expect(second.ranges == ["bytes=200000-", "whole"])
        #expect(try cache.beginning(of: url).elementsEqual(other))
        #expect(try cache.video(url)?.information.etag == "\"v2\"")
    }

    /// Of the same version, whose length was not known, it tells that nothing is missing.
    @Test("a 416 at the end of a video of unknown length is its end")
    func learntEnd() throws {
        let bytes = Array(bytes.prefix(200_000))
        let origin = AnsweringTransport { request, _ in
            var answer = AnsweringTransport.Answer.honest(request, bytes)
            let range = answer.head?["content-range"]?.replacing("/200000", with: "/*")
            if answer.head?.status == 206 { answer.head?.headers["content-range"] = range }
            return answer
        }
        let loader = VideoLoader(cache: cache, transport: origin, options: .init(retry: .none))
        #expect(try loader.reader(of: url, range: nil).all().elementsEqual(bytes))
        loader.close()
        #expect(try cache.video(url)?.information.length == 200_000)
    }
}
