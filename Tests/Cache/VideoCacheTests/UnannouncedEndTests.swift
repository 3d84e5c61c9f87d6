import Testing

@testable import VideoCache

/// Bodies without a length that ended where no version ends, and were complete with exit code 0.
///
/// After a kill at 3 MB one that ended in order after 1 MB, or none, became the whole; a longer one
/// became the whole with as many of its bytes as were told before.
@Suite("A body whose head tells no length is not complete where it contradicts what came before")
struct UnannouncedEndTests {
    private static let date = "Fri, 01 Mar 2024 10:00:00 GMT"
    // A save of 16 KB falls on its end.
    private static let count = 36 << 14
    private static let old = videoBytes(count, seed: 1)
    private static let new = videoBytes(count + 100_000, seed: 2)
    private let folder = TemporaryFolder()
    private let cache: VideoCache
    private let url = "http://127.0.0.1/v.mp4"

    init() throws { cache = try VideoCache(folder: folder.path) }

    /// How a head without a length says where the body ends.
    enum Framing: CaseIterable, Sendable { case chunked, closed }

    private static func whole(
        _ body: [UInt8], _ framing: Framing, _ validator: [String: String]
    ) -> AnsweringTransport.Answer {
        var headers = validator.merging(["Content-Type": "video/mp4"]) { $1 }
        if framing == .chunked { headers["Transfer-Encoding"] = "chunked" }
        return .init(head: HTTPResponseHead(status: 200, headers: headers), body: body)
    }

    /// The honest answer, with a date for its only validator.
    private static func dated(_ request: HTTPRequest, _ bytes: [UInt8]) -> AnsweringTransport.Answer
    {
        .heedless(request, bytes, ["Last-Modified": date])
    }

    private func fetch(_ origin: AnsweringTransport) throws -> DownloadSummary {
        try Download(
            url: url, cache: cache, transport: origin,
            schedule: SavePolicy(threshold: 16 << 10, allowingSmall: true)
        ).run()
    }

    private func loader(_ origin: AnsweringTransport) -> VideoLoader {
        VideoLoader(cache: cache, transport: origin, options: .init(retry: .none))
    }

    /// Fetches the old version, from which nothing comes after so many bytes.
    private func keep(
        _ count: Int, _ answer: @escaping @Sendable (HTTPRequest) -> AnsweringTransport.Answer
    ) throws {
        let origin = AnsweringTransport { request, number in
            number == 0
                ? answer(request) : answer(request).cut(after: count, by: .timedOut(url: ""))
        }
        #expect(throws: TransportError.self) { try fetch(origin) }
        #expect(try cache.cachedBytes(of: url) == Int64(count))
    }

    @Test(
        "it ends before what is kept", arguments: Framing.allCases,
        [
            (0, "ETag"), (100_000, "ETag"), (0, "Last-Modified"), (100_000, "Last-Modified"),
            (0, nil), (100_000, nil), (300_000, nil),
        ] as [(Int, String?)])
    func shorter(framing: Framing, short: (count: Int, field: String?)) throws {
        let (count, field) = short
        let validator = field.map { [$0: $0 == "ETag" ? "\"v1\"" : Self.date] } ?? [:]
        try keep(500_000) { _ in Self.whole(Self.old, framing, validator) }
        let origin = AnsweringTransport { _, _ in
            Self.whole(Array(Self.old.prefix(count)), framing, validator)
        }
        let answer: DownloadError.Unlikeness =
            count == 0 ? .empty : .shorter(bytes: Int64(count), kept: 500_000)
        #expect(throws: DownloadError.notTheVideo(url: url, answer: answer)) { try fetch(origin) }
        #expect(try cache.video(url)?.information.length == nil)
        // Without a validator the first 256 KB have replaced what was there.
        if count < 300_000 { #expect(try cache.cachedBytes(of: url) == 500_000) }
        let honest = AnsweringTransport { _, _ in Self.whole(Self.old, framing, validator) }
        #expect(try fetch(honest).isComplete)
        #expect(try cache.beginning(of: url).elementsEqual(Self.old))
    }

    @Test("a player of the shorter one is not told that it has ended", arguments: Framing.allCases)
    func shorterForAPlayer(framing: Framing) throws {
        let validator = ["ETag": "\"v1\""]
        try keep(500_000) { _ in Self.whole(Self.old, framing, validator) }
        let origin = AnsweringTransport { _, _ in
            Self.whole(Array(Self.old.prefix(300_000)), framing, validator)
        }
        let (bytes, failure) = VideoLoader.played(url, of: cache, by: origin)
        #expect(bytes.elementsEqual(Self.old.prefix(500_000)))
        #expect(failure is DownloadError)
    }

    @Test(
        "it goes on after the end that was told",
        arguments: [
            (.closed, ["Last-Modified": date]), (.chunked, ["ETag": "\"v1\""]),
            (.closed, ["ETag": "\"v1\""]),
        ] as [(Framing, [String: String])])
    func longer(framing: Framing, validator: [String: String]) throws {
        let hasTag = validator["ETag"] != nil
        try keep(100_000) { hasTag ? .honest($0, Self.old) : Self.dated($0, Self.old) }
        let origin = AnsweringTransport { _, _ in Self.whole(Self.new, framing, validator) }
        for _ in 0..<2 {
            #expect(
                throws: DownloadError.otherLength(
                    url: url, told: Int64(Self.count), came: Int64(Self.count) + 1024)
            ) { try fetch(origin) }
            #expect(try cache.cachedBytes(of: url) < Int64(Self.count))
        }
        let played = VideoLoader.played(url, of: cache, by: origin)
        #expect(played.bytes.count < Self.count && played.failure is DownloadError)
    }

    @Test("it ends where was told, and is complete", arguments: Framing.allCases)
    func asTold(framing: Framing) throws {
        try keep(100_000) { .honest($0, Self.old) }
        let origin = AnsweringTransport { _, _ in
            Self.whole(Self.old, framing, ["ETag": "\"v1\""])
        }
        let played = VideoLoader.played(url, of: cache, by: origin)
        #expect(played.failure == nil && played.bytes.elementsEqual(Self.old))
        #expect(try cache.missingRanges(of: url).isEmpty)
    }

    /// The length was known by a HEAD, and no byte cached: the first of 3 MB were the whole answer.
    @Test(
        "a player that has begun with nothing gets no part for the whole",
        arguments: Framing.allCases)
    func knownAndEmpty(framing: Framing) throws {
        let origin = AnsweringTransport { request, number in
            number == 0
                ? Self.dated(request, Self.old)
                : Self.whole(Self.new, framing, ["Last-Modified": Self.date])
        }
        let loader = loader(origin)
        #expect(try loader.information(of: url).length == Int64(Self.count))
        let first = loader.reader(of: url, range: nil).played()
        #expect(first.failure is DownloadError && first.bytes.count < Self.count)
        // The end of a connection tells too little: the length that is known counts.
        if framing == .chunked {
            let second = loader.reader(of: url, range: nil).played()
            #expect(second.failure == nil && second.bytes.elementsEqual(Self.new))
        }
        loader.close()
    }

    // MARK: the total that a 416 tells

    private static func unsatisfiable(_ total: Int) -> AnsweringTransport.Answer {
        .status(416, ["Content-Range": "bytes */\(total)"])
    }

    @Test("the first answer tells the total, and the whole is cut where its connection ends")
    func toldFirst() throws {
        let origin = AnsweringTransport { request, _ in
            request.target == .whole
                ? Self.whole(Array(Self.old.prefix(200_000)), .closed, ["ETag": "\"v1\""])
                : Self.unsatisfiable(Self.count)
        }
        let cut = DownloadError.otherLength(url: url, told: Int64(Self.count), came: 200_000)
        #expect(throws: cut) { try fetch(origin) }
        try cache.clear(url)
        let loader = loader(origin)
        #expect(try loader.information(of: url).length == Int64(Self.count))
        let played = loader.reader(of: url, range: nil).played()
        loader.close()
        #expect(played.failure as? DownloadError == cut)
        #expect(try !cache.missingRanges(of: url).isEmpty)
    }

    @Test("a total below what is kept is that of a new version", arguments: [true, false])
    func toldLess(isDated: Bool) throws {
        try keep(300_000) { isDated ? Self.dated($0, Self.old) : .honest($0, Self.old, etag: nil) }
        let less = Array(Self.new.prefix(20_000))
        let origin = AnsweringTransport { request, _ in
            guard request.target == .whole else { return Self.unsatisfiable(less.count) }
            // Without a validator the 416 comes to a look at kept bytes.
            return isDated
                ? Self.whole(less, .closed, ["Last-Modified": Self.date])
                : .honest(request, less, etag: nil)
        }
        let summary = try fetch(origin)
        #expect(summary.isComplete && summary.length == 20_000)
        #expect(try cache.beginning(of: url).elementsEqual(less))
    }
}
