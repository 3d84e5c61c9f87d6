import Testing

@testable import VideoCache

/// Which failures are tried again, how often, and how long the pauses are.
@Suite("What may pass is tried again, and nothing else")
struct RetryCountTests {
    private static let url = "http://h/v"

    @Test(
        "failures of the network that may pass",
        arguments: [
            (.cannotConnect(url: url, reason: "refused"), true), (.timedOut(url: url), true),
            (.truncated(url: url), true), (.failed(url: url, reason: "reset"), true),
            (.tunnelRefused(url: url, status: 503), true),
            (.tunnelRefused(url: url, status: 502), true),
            (.tunnelRefused(url: url, status: 407), false),
            (.tunnelRefused(url: url, status: 403), false), (.cancelled, false),
            (.notTrusted(url: url, reason: "expired"), false),
            (.authoritiesUnreadable(reason: "none"), false),
            (.tooManyRedirects(url: url), false), (.redirectRefused(url: url), false),
            (.unsupportedAddress(url: url), false),
            (.notHTTP(url: url), false), (.noLibrary(reason: "none"), false),
        ] as [(TransportError, Bool)])
    func ofTheNetwork(error: TransportError, mayPass: Bool) {
        #expect(RetryCount.mayPass(error) == mayPass)
    }

    @Test(
        "answers that may pass",
        arguments: [
            (.truncated(url: url, missing: 5), true),
            (.otherLength(url: url, told: 5, came: 6), true),
            (.busy(url: url, code: 503, seconds: 2), true),
            (.encoded(url: url, encoding: "gzip"), false),
            (.wrongRange(url: url, asked: "a", answered: "b"), false),
            (.notTheVideo(url: url, answer: .empty), false), (.keepsChanging(url: url), false),
            (.changed(url: url), false), (.notStorable(url: url), false),
            (.unconfirmed(url: url, reason: "no"), false),
        ] as [(DownloadError, Bool)])
    func ofTheOrigin(error: DownloadError, mayPass: Bool) {
        #expect(RetryCount.mayPass(error) == mayPass)
    }

    @Test("statuses that may pass")
    func statuses() {
        let passing = (100..<600).filter {
            RetryCount.mayPass(DownloadError.status(url: Self.url, code: $0))
        }
        #expect(passing == [408, 429, 500, 502, 503, 504])
    }

    @Test("failures of the cache do not pass by waiting for the origin")
    func ofTheCache() {
        #expect(!RetryCount.mayPass(CacheError.diskFull(path: "/")))
        #expect(!RetryCount.mayPass(CacheError.replaced(url: Self.url)))
        #expect(!RetryCount.mayPass(RepresentationChanged()))
    }

    // MARK: how often, and with which pauses

    private func pause(_ count: inout RetryCount, after: Duration? = nil) throws {
        try count.pause(
            after: TransportError.timedOut(url: Self.url), retryAfter: after,
            cancellation: Cancellation())
    }

    @Test("pauses double up to the longest one, and the last failure is told")
    func doubling() throws {
        let pauses = Pauses()
        var count = RetryCount(policy: pauses.policy(4))
        for _ in 0..<4 { try pause(&count) }
        #expect(throws: TransportError.timedOut(url: Self.url)) { try pause(&count) }
        #expect(pauses.all == [.seconds(1), .seconds(2), .seconds(3), .seconds(3)])
        count.noteProgress()
        try pause(&count)
        #expect(pauses.all.last == .seconds(1), "progress begins anew")
    }

    @Test("without retries nothing is tried again", arguments: [0, -3])
    func none(retries: Int) {
        let pauses = Pauses()
        var count = RetryCount(policy: pauses.policy(retries))
        #expect(throws: TransportError.self) { try pause(&count) }
        #expect(pauses.all == [])
    }

    @Test("what the origin asks for is waited, up to a limit", arguments: [0, 1, 2, 20, 30])
    func askedFor(seconds: Int) throws {
        let pauses = Pauses()
        var count = RetryCount(policy: pauses.policy(3))
        try pause(&count, after: .seconds(seconds))
        try pause(&count, after: .seconds(seconds))
        #expect(pauses.all == [.seconds(max(1, seconds)), .seconds(max(2, seconds))])
        #expect(throws: TransportError.self) { try pause(&count, after: .seconds(31)) }
        #expect(pauses.all.count == 2)
    }

    /// A look at kept bytes has no head to tell it.
    @Test("what the origin asks for in an error is waited, too")
    func askedForByAnError() throws {
        let pauses = Pauses()
        var count = RetryCount(policy: pauses.policy(3))
        for (seconds, isWaited) in [(20, true), (31, false)] {
            let error = DownloadError.busy(url: Self.url, code: 503, seconds: seconds)
            let result = Result {
                try count.pause(after: error, retryAfter: nil, cancellation: Cancellation())
            }
            #expect(((try? result.get()) != nil) == isWaited)
        }
        #expect(pauses.all == [.seconds(20)])
        let last = RetryCount(policy: RetryPolicy(retries: 0))
        let error = DownloadError.busy(url: Self.url, code: 503, seconds: 31)
        #expect(!last.isLastResort(after: error, retryAfter: nil))
    }

    /// K2: what has not passed may be a refusal of ranges, and the whole is asked for once.
    @Test(
        "the whole is the last resort, once no attempt is left",
        arguments: [
            (500, 0, nil, true), (503, 0, 30, true), (503, 0, 31, false), (503, 1, nil, false),
            (404, 0, nil, false), (403, 0, nil, false), (429, 0, nil, false), (408, 0, nil, false),
        ] as [(Int, Int, Int?, Bool)])
    func lastResort(status: Int, retries: Int, after: Int?, isOne: Bool) {
        let count = RetryCount(policy: RetryPolicy(retries: retries))
        let error = DownloadError.status(url: Self.url, code: status)
        let delay = after.map { Duration.seconds($0) }
        #expect(count.isLastResort(after: error, retryAfter: delay) == isOne)
        #expect(!count.isLastResort(after: TransportError.timedOut(url: Self.url), retryAfter: nil))
    }

    // MARK: `Retry-After`

    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    @Test(
        "the delay that a head asks for",
        arguments: [
            (date, "0", 0), (date, "7", 7), (date, "-1", nil), (date, "soon", nil), (date, "", nil),
            (date, "1.5", nil), (date, "Sun, 06 Nov 1994 08:49:40 GMT", 3),
            (date, "Mon, 07 Nov 1994 08:49:37 GMT", 86_400),
            // A date that has passed asks for no delay.
            (date, "Sun, 06 Nov 1994 08:49:30 GMT", 0),
            (date, "Sun, 06 Foo 1994 08:49:37 GMT", nil), (date, "Sun, 06 Nov 1994 08:49", nil),
            ("Wed, 28 Feb 2024 23:59:59 GMT", "Thu, 29 Feb 2024 00:00:00 GMT", 1),
            ("Tue, 31 Dec 2024 23:59:59 GMT", "Wed, 01 Jan 2025 00:01:00 GMT", 61),
            ("Tue, 28 Feb 2023 00:00:00 GMT", "Wed, 01 Mar 2023 00:00:00 GMT", 86_400),
        ] as [(String, String, Int?)])
    func asked(date: String, text: String, seconds: Int?) {
        let head = HTTPResponseHead(status: 503, headers: ["Date": date, "Retry-After": text])
        #expect(head.retryAfter == seconds.map { Duration.seconds($0) })
    }

    @Test("a date is compared with the answer's own, and is nothing without it")
    func withoutADate() {
        let later = "Sun, 06 Nov 1994 08:49:40 GMT"
        #expect(HTTPResponseHead(status: 503).retryAfter == nil)
        let head = HTTPResponseHead(status: 503, headers: ["Retry-After": later])
        #expect(head.retryAfter == nil)
    }
}
