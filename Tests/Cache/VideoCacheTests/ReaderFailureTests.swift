import Testing

@testable import VideoCache

/// A failure that may pass ends one call of a reader, and not the reader.
///
/// With a careless change a player that had lost its connection once got the same error for ever,
/// although the origin was back.
@Suite("A reader goes on after a failure of the moment (F1)")
struct ReaderFailureTests {
    private let folder = TemporaryFolder()
    private let store: SQLiteChunkStore
    private let cache: VideoCache
    private let unused: VideoLoader
    private let bytes = videoBytes(300_000)
    private let url = "http://127.0.0.1/v.mp4"

    /// A cache that has the first 100,000 bytes of a video.
    init() throws {
        store = try SQLiteChunkStore(folder: folder.path)
        cache = VideoCache(store: store)
        unused = VideoLoader(cache: cache, transport: AnsweringTransport { _, _ in .status(404) })
        let video = try store.store(
            ContentInformation(
                length: 300_000, mimeType: "video/mp4", acceptsRanges: true, etag: "\"v1\""),
            url: url)
        try store.save(Array(bytes[..<100_000]), at: 0, of: video)
    }

    private func loader(_ origin: any HTTPTransport, retry: RetryPolicy = .none) -> VideoLoader {
        VideoLoader(cache: cache, transport: origin, options: .init(retry: retry))
    }

    private static let failures: [TransportError] = [
        .cannotConnect(url: "u", reason: "refused"), .timedOut(url: "u"), .truncated(url: "u"),
        .failed(url: "u", reason: "reset"),
        // What does not pass by itself may be mended by the user, who then plays on.
        .notTrusted(url: "u", reason: "expired"), .tunnelRefused(url: "u", status: 407),
    ]

    /// Reads on after each failure, up to ten of them; returns the bytes and the failures.
    ///
    /// A download that fails before its reader waits for it tells no failure: the reader begins
    /// another one.
    private func persist(
        _ origin: AnsweringTransport, range: ByteRange? = ByteRange(from: 100_000, to: 300_000),
        retry: RetryPolicy = .none
    ) -> (bytes: [UInt8], failures: [any Error]) {
        let loader = loader(origin, retry: retry)
        defer { loader.close() }
        let reader = loader.reader(of: url, range: range)
        var (got, failures): ([UInt8], [any Error]) = ([], [])
        while failures.count < 10 {
            do {
                guard let more = try reader.next() else { break }
                got += more
            } catch { failures.append(error) }
        }
        return (got, failures)
    }

    @Test("each failure is told once, and the next call asks again", arguments: failures)
    func toldOnce(failure: TransportError) throws {
        let origin = AnsweringTransport { [bytes] request, number in
            number < 3 ? .failing(failure) : .honest(request, bytes)
        }
        let (got, failures) = persist(origin)
        #expect(got.elementsEqual(bytes[100_000...]))
        #expect(failures.count <= 3)
        #expect(failures.allSatisfy { $0 as? TransportError == failure })
        #expect(origin.requests.count == 4)
        #expect(try cache.cachedRanges(of: url).ranges == [ByteRange(from: 0, to: 300_000)])
    }

    @Test("so is a status", arguments: [403, 404, 429, 500, 503])
    func status(code: Int) throws {
        let origin = AnsweringTransport { [bytes] request, number in
            // After some the whole is asked for at once.
            number < 2 ? .status(code) : .honest(request, bytes)
        }
        let (got, failures) = persist(origin)
        #expect(got.elementsEqual(bytes[100_000...]))
        #expect(failures.count <= (origin.ranges.contains("whole") ? 1 : 2))
        #expect(failures.allSatisfy { $0 is DownloadError })
        #expect(origin.requests.count == 3)
    }

    @Test("a failure in the middle loses nothing of what came before it")
    func inTheMiddle() throws {
        let origin = AnsweringTransport { [bytes] request, number in
            let answer = AnsweringTransport.Answer.honest(request, bytes)
            return number == 0 ? answer.cut(after: 50_000, by: .timedOut(url: "u")) : answer
        }
        let (got, failures) = persist(origin, range: nil)
        #expect(got.elementsEqual(bytes))
        #expect(failures.count <= 1)
        #expect(origin.ranges == ["bytes=100000-", "bytes=150000-"])
    }

    @Test("retries come before any failure is told, and each download has its own")
    func retried() throws {
        let pauses = Pauses()
        let origin = AnsweringTransport { [bytes] request, number in
            number < 5 ? .failing(.timedOut(url: "u")) : .honest(request, bytes)
        }
        let (got, failures) = persist(origin, retry: pauses.policy(2))
        #expect(got.count == 200_000 && failures.count <= 1)
        #expect(pauses.all == [.seconds(1), .seconds(2), .seconds(1), .seconds(2)])
        #expect(origin.requests.count == 6)
    }

    @Test("an origin that cannot be asked about an unknown video can be asked again")
    func unknownVideo() throws {
        let origin = AnsweringTransport { [bytes] request, number in
            number < 2 ? .failing(.cannotConnect(url: "u", reason: "r")) : .honest(request, bytes)
        }
        let loader = loader(origin)
        let reader = loader.reader(of: url + "?2", range: ByteRange(from: 5, to: 1_000))
        for _ in 0..<2 { #expect(throws: TransportError.self) { try reader.next() } }
        #expect(try reader.all().elementsEqual(bytes[5..<1_000]))
        loader.close()
    }

    /// The first look at a video is tried again like everything else, and the wait is the reader's.
    @Test("an unknown video is asked for as often as the loader may")
    func unknownVideoRetried() throws {
        let pauses = Pauses()
        let origin = AnsweringTransport { [bytes] request, number in
            number < 2 ? .status(503) : .honest(request, bytes)
        }
        let loader = loader(origin, retry: pauses.policy(2))
        #expect(try loader.information(of: url + "?2").length == 300_000)
        #expect(pauses.all == [.seconds(1), .seconds(2)])
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-1", "bytes=0-1"])
        loader.close()
    }

    @Test("a download that goes on a little each time is not given up", arguments: [0, 2])
    func littleByLittle(retries: Int) throws {
        let pauses = Pauses()
        let origin = AnsweringTransport { [bytes] request, _ in
            .honest(request, bytes).cut(after: 40_000, by: .truncated(url: "u"))
        }
        let (got, failures) = persist(origin, retry: pauses.policy(retries))
        #expect(got.elementsEqual(bytes[100_000...]))
        // Each attempt brings something, so with a retry the reader never hears of a failure.
        #expect(retries == 0 || failures.isEmpty)
        #expect(pauses.all.allSatisfy { $0 == .seconds(1) })
        #expect(origin.requests.count == 5)
    }

    /// Another version is no failure that passes: what follows would be of other bytes.
    @Test("a video that has changed stays changed for who has begun with it")
    func changed() throws {
        let other = videoBytes(300_000, seed: 5)
        let origin = AnsweringTransport { request, _ in .honest(request, other, etag: "\"v2\"") }
        let loader = loader(origin)
        let reader = loader.reader(of: url, range: nil)
        var got: [UInt8] = []
        for _ in 0..<3 {
            #expect(throws: DownloadError.changed(url: url)) {
                while let more = try reader.next() { got += more }
            }
        }
        #expect(got.elementsEqual(bytes[..<100_000]))
        #expect(try loader.reader(of: url, range: nil).all().elementsEqual(other))
        loader.close()
    }

    // MARK: several readers

    private func session() -> VideoSession {
        VideoSession(url: url, loader: unused, isClosed: false)
    }

    /// A run that fails is none of a reader that waits for another one.
    @Test("only who waits for a download gets its failure")
    func onlyWhoWaits() throws {
        let session = session()
        let readers = (0..<4).map { _ in session.addReader(range: nil) }
        session.monitor.withLock { state in
            state.readers[readers[0]]?.waitsFor = 70
            state.readers[readers[1]]?.waitsFor = 71
            state.readers[readers[3]]?.waitsFor = 70
        }
        session.end(70, failure: TransportError.timedOut(url: "u"))
        for reader in [readers[0], readers[3]] {
            #expect(throws: TransportError.timedOut(url: "u")) {
                try session.look(reader, limit: 1)
            }
        }
        for reader in readers {
            guard case .unbound = try session.look(reader, limit: 1) else {
                Issue.record("it fails again, or for another's failure")
                continue
            }
        }
        // A look ends the wait, so that a later failure of that run is none of the reader's.
        session.end(71, failure: TransportError.timedOut(url: "u"))
        #expect(throws: Never.self) { try session.look(readers[1], limit: 1) }
    }

    @Test("a download that ends well, or is cancelled, tells no failure")
    func endsWell() throws {
        let session = session()
        let reader = session.addReader(range: nil)
        session.monitor.withLock { $0.readers[reader]?.waitsFor = 70 }
        session.end(70, failure: nil)
        #expect(throws: Never.self) { try session.look(reader, limit: 1) }
    }

    @Test("the first failure stays until it is told, and a change for good")
    func firstFailure() throws {
        let session = session()
        let (first, second) = (session.addReader(range: nil), session.addReader(range: nil))
        session.monitor.withLock { state in
            for reader in [first, second] { state.readers[reader]?.waitsFor = 70 }
            state.readers[second]?.failure = DownloadError.changed(url: url)
        }
        session.end(70, failure: TransportError.timedOut(url: "one"))
        session.monitor.withLock { $0.readers[first]?.waitsFor = 71 }
        session.end(71, failure: TransportError.timedOut(url: "two"))
        #expect(throws: TransportError.timedOut(url: "one")) { try session.look(first, limit: 1) }
        for _ in 0..<3 {
            #expect(throws: DownloadError.changed(url: url)) { try session.look(second, limit: 1) }
        }
    }

    @Test("a cancelled reader, and one of a closed session, are told so and nothing else")
    func cancelled() throws {
        let session = session()
        let (first, second) = (session.addReader(range: nil), session.addReader(range: nil))
        session.monitor.withLock { state in
            for reader in [first, second] { state.readers[reader]?.waitsFor = 70 }
        }
        session.cancel(first)
        session.end(70, failure: TransportError.timedOut(url: "u"))
        for _ in 0..<2 {
            #expect(throws: TransportError.cancelled) { try session.look(first, limit: 1) }
        }
        session.close()
        #expect(throws: TransportError.cancelled) { try session.look(second, limit: 1) }
    }

    /// The prefetch of a reader that has failed would bring bytes that it may never want.
    @Test("nothing is fetched ahead for a reader with a failure that was not told yet")
    func prefetch() throws {
        let session = session()
        let reader = session.addReader(range: nil)
        let video = try #require(try store.video(url: url))
        let version = VideoVersion(stored: video, in: store)
        let gap = ByteRange(from: 100_000, to: 200_000)
        session.monitor.withLock { state in
            state.readers[reader]?.version = version
            state.readers[reader]?.failure = TransportError.timedOut(url: "u")
            let whileFailed = state.startPrefetch(reader, gap)
            state.readers[reader]?.failure = nil
            let first = state.startPrefetch(reader, gap)
            let second = state.startPrefetch(reader, gap)
            #expect(whileFailed == nil && first != nil)
            #expect(second == nil, "one brings it already")
        }
    }
}
