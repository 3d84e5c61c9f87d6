import Foundation
import Synchronization
import Testing
import TestSupport

@testable import CurlTransport
@testable import VideoCache

/// A clock that stands until it is moved.
final class HandClock: Sendable {
    private let milliseconds = Mutex<Int64>(1_795_694_400_000)

    var clock: CacheClock { CacheClock { self.milliseconds.withLock { $0 } } }
    func advance(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
}

final class ChangingOrigin: Sendable {
    struct Word: Sendable {
        var bytes: [UInt8]
        var headers: [String: String]
        var answersConditions = true
        var status: Int?
    }

    private final class Held: Sendable {
        let word: Mutex<Word>
        init(_ word: Word) { self.word = Mutex(word) }

        func reply(to request: SeenRequest) -> Reply {
            let word = word.withLock { $0 }
            if let status = word.status { return Reply(status: status) }
            let tag = word.headers["ETag"]
            let date = word.headers["Last-Modified"]
            let isKnown =
                tag != nil && request.headers["if-none-match"] == tag
                || tag == nil && date != nil && request.headers["if-modified-since"] == date
            if word.answersConditions, isKnown { return Reply(status: 304, headers: word.headers) }
            var reply = TestOrigin.honest(request, word.bytes, etag: tag)
            reply.headers.merge(word.headers) { $1 }
            return reply
        }
    }

    private let held: Held
    private let origin: TestOrigin

    init(_ bytes: [UInt8], _ headers: [String: String]) throws {
        let held = Held(Word(bytes: bytes, headers: headers))
        self.held = held
        origin = try TestOrigin { held.reply(to: $0) }
    }

    var url: String { origin.url }
    var requests: [SeenRequest] { origin.requests }

    /// How many of the requests had a condition.
    var questions: Int {
        requests.count {
            $0.headers["if-none-match"] != nil || $0.headers["if-modified-since"] != nil
        }
    }

    func change(_ body: (inout Word) -> Void) { held.word.withLock { body(&$0) } }
    func stop() { origin.stop() }
}

/// A video replaced at its address played in its old version until it was cleared.
@Suite("What is stored is asked for again when it is no longer fresh (RFC 9111)", .serialized)
struct RevalidationTests {
    static let layouts: [StorageLayout] = [.file, .rows]
    let old = videoBytes(300_000, seed: 1)
    let new = videoBytes(400_000, seed: 2)
    let hands = HandClock()
    private let place: TemporaryCache

    init() throws { place = try TemporaryCache() }

    private func cache(_ layout: StorageLayout) throws -> VideoCache {
        let folder = "\(place.folder)/\(UUID().uuidString)"
        let store = try SQLiteChunkStore(folder: folder, layout: layout)
        return VideoCache(store: store, clock: hands.clock)
    }

    private func fetch(
        _ url: String, into cache: VideoCache, revalidation: Revalidation = .stale
    ) throws -> DownloadSummary {
        try Download(
            url: url, cache: cache, transport: quickTransport(), revalidation: revalidation
        ).run()
    }

    private func loader(_ cache: VideoCache, _ revalidation: Revalidation = .stale) -> VideoLoader {
        VideoLoader(
            cache: cache, transport: quickTransport(),
            options: .init(retry: .none, revalidation: revalidation))
    }

    private func content(of url: String, in cache: VideoCache) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try cache.read(ByteRange(offset: 0, length: 1 << 20), of: url) { bytes += $1 }
        return bytes
    }

    /// What an origin may say, and for how many seconds that counts.
    static let lifetimes: [([String: String], Int64)] = [
        (["Cache-Control": "max-age=60", "ETag": "\"a\""], 60),
        (["Cache-Control": "max-age=600, s-maxage=60", "ETag": "W/\"a\""], 60),
        (
            [
                "Expires": "Thu, 26 Nov 2026 12:02:00 GMT", "Date": "Thu, 26 Nov 2026 12:00:00 GMT",
                "Last-Modified": "Tue, 24 Nov 2026 12:00:00 GMT",
            ], 120
        ),
    ]

    @Test(
        "a complete video is asked about once it is stale, by one conditional request",
        arguments: layouts, lifetimes)
    func fetched(layout: StorageLayout, lifetime: ([String: String], Int64)) throws {
        let cache = try cache(layout)
        let origin = try ChangingOrigin(old, lifetime.0)
        #expect(try fetch(origin.url, into: cache).isComplete)
        let before = origin.requests.count
        hands.advance(seconds: lifetime.1 - 1)
        #expect(try fetch(origin.url, into: cache).requests == 0)
        #expect(origin.requests.count == before)
        hands.advance(seconds: 1)
        #expect(try fetch(origin.url, into: cache).requests == 1)
        #expect(origin.requests.count == before + 1 && origin.questions == 1)
        #expect(try content(of: origin.url, in: cache) == old)
        // A max-age counts from the answer on; an Expires stays where it was.
        let again = try fetch(origin.url, into: cache).requests
        #expect(again == (lifetime.0["Expires"] == nil ? 0 : 1))
    }

    @Test(
        "a replaced video comes in its new version, whole, and the old one goes only then",
        arguments: layouts, ["max-age=60", "no-cache", "max-age=0"])
    func replaced(layout: StorageLayout, control: String) throws {
        let cache = try cache(layout)
        let origin = try ChangingOrigin(old, ["Cache-Control": control, "ETag": "\"a\""])
        #expect(try fetch(origin.url, into: cache).isComplete)
        hands.advance(seconds: 60)
        origin.change { $0.status = 503 }
        let isForced = control == "no-cache"
        if isForced {
            #expect(throws: DownloadError.self) { try fetch(origin.url, into: cache) }
        } else {
            #expect(try fetch(origin.url, into: cache).unconfirmed != nil)
        }
        #expect(try content(of: origin.url, in: cache) == old)
        let new = new
        origin.change { ($0.status, $0.bytes, $0.headers["ETag"]) = (nil, new, "\"b\"") }
        #expect(try fetch(origin.url, into: cache).isComplete)
        #expect(try content(of: origin.url, in: cache) == new)
    }

    @Test("without a word of the origin it is fresh, unless it is to be asked always")
    func silentOrigin() throws {
        let cache = try cache(.file)
        let origin = try ChangingOrigin(old, ["ETag": "\"a\""])
        #expect(try fetch(origin.url, into: cache).isComplete)
        hands.advance(seconds: 1 << 30)
        let before = origin.requests.count
        #expect(try fetch(origin.url, into: cache).requests == 0)
        #expect(try fetch(origin.url, into: cache, revalidation: .always).requests == 1)
        let player = loader(cache)
        #expect(try player.reader(of: origin.url, range: nil).all() == old)
        player.close()
        #expect(origin.requests.count == before + 1)
        let strict = loader(cache, .always)
        #expect(try strict.reader(of: origin.url, range: nil).all() == old)
        #expect(try strict.reader(of: origin.url, range: nil).all() == old)
        strict.close()
        #expect(origin.requests.count == before + 3 && origin.questions == 3)
    }

    @Test("a stale video plays in its new version", arguments: layouts, [true, false])
    func played(layout: StorageLayout, answersConditions: Bool) throws {
        let cache = try cache(layout)
        let origin = try ChangingOrigin(old, ["Cache-Control": "max-age=60", "ETag": "\"a\""])
        origin.change { $0.answersConditions = answersConditions }
        let player = loader(cache)
        defer { player.close() }
        #expect(try player.reader(of: origin.url, range: nil).all() == old)
        let before = origin.requests.count
        hands.advance(seconds: 60)
        #expect(try player.reader(of: origin.url, range: nil).all() == old)
        #expect(origin.requests.count == before + 1, "asked once, not fetched again")
        #expect(try player.reader(of: origin.url, range: nil).all() == old)
        #expect(origin.requests.count == before + 1, "and fresh again")
        let new = new
        origin.change { ($0.bytes, $0.headers["ETag"]) = (new, "\"b\"") }
        #expect(try player.reader(of: origin.url, range: nil).all() == old)
        hands.advance(seconds: 60)
        #expect(try player.reader(of: origin.url, range: nil).all() == new)
        // The last bytes are played before they are saved.
        player.close()
        #expect(try content(of: origin.url, in: cache) == new)
    }

    /// The whole came again each time.
    @Test("an origin that refuses ranges is asked without one", arguments: [400, 406, 501])
    func refusedRange(status: Int) throws {
        let cache = try cache(.file)
        let bytes = old
        let headers = ["Cache-Control": "max-age=60", "ETag": "\"a\""]
        let origin = try TestOrigin { request in
            if request.range != nil { return Reply(status: status) }
            return request.headers["if-none-match"] == nil
                ? Reply(headers: headers, body: bytes) : Reply(status: 304, headers: headers)
        }
        #expect(try fetch(origin.url, into: cache).isComplete)
        let before = origin.requests.count
        hands.advance(seconds: 60)
        #expect(try fetch(origin.url, into: cache).requests == 2)
        #expect(origin.requests[before...].allSatisfy { $0.headers["if-none-match"] == "\"a\"" })
        #expect(try fetch(origin.url, into: cache).requests == 0)
        #expect(try content(of: origin.url, in: cache) == old)
    }

    @Test("many players that come at once share one question") func coalesced() throws {
        let cache = try cache(.file)
        let gate = DispatchSemaphore(value: 0)
        let isHeld = Mutex(false)
        let bytes = old
        let headers = ["Cache-Control": "max-age=60", "ETag": "\"a\""]
        let origin = try TestOrigin { request in
            guard request.headers["if-none-match"] != nil else {
                var reply = TestOrigin.honest(request, bytes, etag: "\"a\"")
                reply.headers.merge(headers) { $1 }
                return reply
            }
            if isHeld.withLock({ $0 }) { gate.wait() }
            return Reply(status: 304, headers: headers)
        }
        let player = loader(cache)
        defer { player.close() }
        #expect(try player.reader(of: origin.url, range: nil).all() == bytes)
        let before = origin.requests.count
        hands.advance(seconds: 60)
        isHeld.withLock { $0 = true }
        let entered = Mutex(0)
        let reads = (0..<8).map { _ in
            Background {
                let reader = player.reader(of: origin.url, range: nil)
                entered.withLock { $0 += 1 }
                return try reader.all()
            }
        }
        try blockUntil("all have come, and one asks") {
            entered.withLock { $0 } == 8 && origin.requests.count > before
        }
        gate.signal()
        for read in reads { #expect(try read.value() == bytes) }
        #expect(origin.requests.count == before + 1)
    }

    @Test("what may not be stored plays, leaves nothing, and is asked for each time")
    func unstorable() throws {
        let cache = try cache(.file)
        let origin = try ChangingOrigin(
            old, ["Cache-Control": "max-age=600, No-Store", "ETag": "\"a\""])
        let player = loader(cache)
        #expect(try player.reader(of: origin.url, range: nil).all() == old)
        #expect(try cache.videos() == [] && cache.totalCachedBytes() == 0)
        let new = new
        origin.change { ($0.bytes, $0.headers["ETag"]) = (new, "\"b\"") }
        #expect(try player.reader(of: origin.url, range: nil).all() == new)
        player.close()
        #expect(try cache.videos() == [] && cache.totalCachedBytes() == 0)
        #expect(throws: DownloadError.notStorable(url: origin.url)) {
            try fetch(origin.url, into: cache)
        }
        #expect(try cache.videos() == [] && cache.totalCachedBytes() == 0)
    }

    @Test("what becomes unstorable is played without saving, and the old version stays")
    func unstorableLater() throws {
        let cache = try cache(.file)
        let origin = try ChangingOrigin(old, ["Cache-Control": "max-age=60", "ETag": "\"a\""])
        #expect(try fetch(origin.url, into: cache).isComplete)
        hands.advance(seconds: 60)
        let new = new
        origin.change {
            $0 = .init(bytes: new, headers: ["Cache-Control": "no-store", "ETag": "\"b\""])
        }
        #expect(throws: DownloadError.notStorable(url: origin.url)) {
            try fetch(origin.url, into: cache)
        }
        let player = loader(cache)
        #expect(try player.reader(of: origin.url, range: nil).all() == new)
        player.close()
        #expect(try content(of: origin.url, in: cache) == old)
    }

    @Test("offline a stale one plays, unless that is forbidden", arguments: layouts)
    func offline(layout: StorageLayout) throws {
        for (control, plays) in [
            ("max-age=60", true), ("max-age=60, must-revalidate", false), ("no-cache", false),
            ("s-maxage=60", false),
        ] {
            let cache = try cache(layout)
            let origin = try ChangingOrigin(old, ["Cache-Control": control, "ETag": "\"a\""])
            let url = origin.url
            #expect(try fetch(url, into: cache).isComplete)
            origin.change { $0.status = 500 }
            hands.advance(seconds: 60)
            let player = loader(cache)
            if plays {
                let known = try player.known(of: url, for: .none, cancellation: Cancellation())
                #expect(known.unconfirmed != nil)
                #expect(try player.reader(of: url, range: nil).all() == old)
                let summary = try fetch(url, into: cache)
                #expect(summary.isComplete && summary.unconfirmed != nil)
            } else {
                #expect(throws: DownloadError.self, "\(control)") {
                    try player.reader(of: url, range: nil).all()
                }
                #expect(throws: DownloadError.self, "\(control)") { try fetch(url, into: cache) }
            }
            player.close()
            #expect(try content(of: url, in: cache) == old)
        }
    }

    @Test("a video that is gone at its origin is an error, and what is cached stays")
    func gone() throws {
        let cache = try cache(.file)
        let origin = try ChangingOrigin(old, ["Cache-Control": "max-age=60", "ETag": "\"a\""])
        let url = origin.url
        #expect(try fetch(url, into: cache).isComplete)
        origin.change { $0.status = 404 }
        hands.advance(seconds: 60)
        #expect(throws: DownloadError.status(url: url, code: 404)) { try fetch(url, into: cache) }
        let player = loader(cache)
        defer { player.close() }
        #expect(throws: DownloadError.status(url: url, code: 404)) {
            try player.information(of: url)
        }
        #expect(try content(of: url, in: cache) == old)
    }

    @Test("without validators a stale one is fetched again, but not while it plays")
    func withoutValidators() throws {
        let cache = try cache(.file)
        let origin = try ChangingOrigin(old, ["Cache-Control": "max-age=60"])
        let player = loader(cache)
        defer { player.close() }
        let playing = player.reader(of: origin.url, range: nil)
        var played = try #require(try playing.next(limit: 1000))
        hands.advance(seconds: 60)
        let other = player.reader(of: origin.url, range: ByteRange(offset: 200_000, length: 10))
        #expect(try other.all() == Array(old[200_000..<200_010]))
        played += try playing.all()
        #expect(played == old)
        playing.cancel()
        other.cancel()
        let new = new
        origin.change { $0.bytes = new }
        #expect(try player.reader(of: origin.url, range: nil).all() == new)
    }
}
