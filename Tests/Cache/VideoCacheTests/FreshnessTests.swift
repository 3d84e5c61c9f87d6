import Testing

@testable import VideoCache

/// A video that was stored once was never asked for again, whatever its origin had said: a video
/// replaced at its address played in its old version until it was cleared.
@Suite("What an origin says about freshness counts as RFC 9111 has it")
struct FreshnessTests {
    /// 2026-11-26 12:00:00 UTC, in milliseconds.
    static let noon: Int64 = 1_795_694_400_000
    static let date = "Thu, 26 Nov 2026 12:00:00 GMT"

    struct Case: Sendable, CustomTestStringConvertible {
        var section: String
        var headers: [String: String]
        /// How many seconds it is fresh for, from its arrival on; nil for ever, 0 for not at all.
        var freshFor: Int64?
        /// Whether it may be used once it is stale and the origin cannot be asked.
        var mayBeStale: Bool
        var testDescription: String { "\(section) \(headers.sorted { $0.key < $1.key })" }

        init(
            _ section: String, _ headers: [String: String], _ freshFor: Int64?,
            mayBeStale: Bool = true
        ) {
            (self.section, self.headers) = (section, headers)
            (self.freshFor, self.mayBeStale) = (freshFor, mayBeStale)
        }
    }

    static let cases: [Case] = [
        // 4.2.1: s-maxage, max-age, Expires, in this order; of two values the first, or none.
        Case("4.2.1", ["cache-control": "max-age=60"], 60),
        Case("4.2.1", ["cache-control": "MAX-AGE=60"], 60),
        Case("4.2.1", ["cache-control": "max-age=60, max-age=5"], 60),
        Case("4.2.1", ["cache-control": "max-age=\"60\""], 60),
        Case("4.2.1", ["cache-control": "max-age=060"], 60),
        Case("4.2.1", ["cache-control": "max-age='60'"], 0),
        Case("4.2.1", ["cache-control": "max-age=-60"], 0),
        Case("4.2.1", ["cache-control": "max-age=+60"], 0),
        Case("4.2.1", ["cache-control": "max-age=60.5"], 0),
        Case("4.2.1", ["cache-control": "max-age="], 0),
        Case("4.2.1", ["cache-control": "max-age"], 0),
        Case("4.2.1", ["cache-control": "x=\"a, max-age=60\", max-age=5"], 5),
        Case("4.2.1", ["cache-control": "x=\"a\\\", max-age=9\", max-age=5"], 5),
        Case("1.2.2", ["cache-control": "max-age=99999999999999999999999"], 1 << 31),
        Case("5.3", ["expires": "Thu, 26 Nov 2026 12:01:40 GMT", "date": date], 100),
        Case("5.3", ["expires": "Thu, 26 Nov 2026 12:01:40 GMT"], 100),
        Case("5.3", ["expires": "Thursday, 26-Nov-26 12:01:40 GMT", "date": date], 100),
        Case("5.3", ["expires": "Thu Nov 26 12:01:40 2026", "date": date], 100),
        Case(
            "5.3",
            [
                "expires": "Thu, 26 Nov 2026 12:01:40 GMT", "date": date,
                "cache-control": "max-age=5",
            ], 5),
        Case("5.3", ["expires": "0", "date": date], 0),
        Case("5.3", ["expires": "-1"], 0),
        Case("5.3", ["expires": date, "date": date], 0),
        Case("5.3", ["expires": "Thu, 26 Nov 2026 12:01:40 UTC", "date": date], 0),
        Case("5.3", ["expires": "Thu 26 Nov 2026 12:01:40 GMT", "date": date], 0),
        Case("5.3", ["expires": "Thu, 26  Nov  2026 12:01:40 GMT", "date": date], 0),
        Case("5.3", ["expires": "Thu, 26 Nov 2026 2:01:40 GMT", "date": date], 0),
        // 4.2.3: the age that it has when it comes.
        Case("4.2.3", ["cache-control": "max-age=60", "age": "20"], 40),
        Case(
            "4.2.3", ["cache-control": "max-age=60", "date": "Thu, 26 Nov 2026 11:59:30 GMT"], 30),
        Case(
            "4.2.3",
            ["cache-control": "max-age=60", "date": "Thu, 26 Nov 2026 11:59:30 GMT", "age": "45"],
            15),
        Case(
            "4.2.3", ["cache-control": "max-age=60", "date": "Thu, 26 Nov 2026 13:00:00 GMT"], 60),
        Case("5.1", ["cache-control": "max-age=60", "age": "70, 0"], 0),
        Case("5.1", ["cache-control": "max-age=60", "age": "0, 70"], 60),
        Case("5.1", ["cache-control": "max-age=60", "age": "-9"], 60),
        Case("5.1", ["cache-control": "max-age=60", "age": "7.0"], 60),
        Case("5.1", ["cache-control": "max-age=60", "age": "2147483649"], 0),
        // 5.2.2: what the origin allows.
        Case("5.2.2.2", ["cache-control": "max-age=9, must-revalidate"], 9, mayBeStale: false),
        Case("5.2.2.8", ["cache-control": "max-age=9, proxy-revalidate"], 9, mayBeStale: false),
        Case("5.2.2.10", ["cache-control": "max-age=60, s-maxage=9"], 9, mayBeStale: false),
        Case("5.2.2.10", ["cache-control": "s-maxage=60, max-age=9"], 9, mayBeStale: false),
        Case("5.2.2.4", ["cache-control": "max-age=60, No-Cache"], 0, mayBeStale: false),
        Case("5.2.2.4", ["cache-control": "no-cache=\"Set-Cookie\""], 0, mayBeStale: false),
        Case("5.2.2.7", ["cache-control": "private, max-age=60"], 60),
        Case("4.1", ["cache-control": "max-age=60", "vary": "Foo, *"], 0, mayBeStale: false),
        Case("4.1", ["cache-control": "max-age=60", "vary": "Foo"], 60),
        // Without a word, and with words that say nothing about it.
        Case("4.2.2", ["date": date], nil),
        Case("4.2.2", ["cache-control": "public", "date": date], nil),
        Case("5.4", ["pragma": "no-cache", "date": date], nil),
    ]

    /// What a head says that comes at noon, if not at another time.
    private func freshness(
        _ headers: [String: String], status: Int = 200, asked: Int64? = nil,
        at time: Int64 = FreshnessTests.noon
    ) throws -> Freshness {
        let head = HTTPResponseHead(status: status, headers: headers)
        return try #require(Freshness(head, asked: asked ?? time, received: time))
    }

    @Test("for as long as it says, and not a second longer", arguments: cases)
    func lifetime(_ one: Case) throws {
        let freshness = try freshness(one.headers)
        #expect(Freshness(text: freshness.text) == freshness, "stored and read again")
        guard let seconds = one.freshFor else {
            #expect(freshness.standing(at: Self.noon + 1 << 50) == .fresh)
            return
        }
        let end = Self.noon + seconds * 1000
        if seconds > 0 { #expect(freshness.standing(at: end - 1) == .fresh) }
        #expect(freshness.standing(at: end) == (one.mayBeStale ? .stale : .useless))
    }

    @Test("a head that says nothing has no freshness")
    func nothing() {
        let head = HTTPResponseHead(status: 200, headers: ["etag": "\"a\""])
        #expect(Freshness(head, asked: Self.noon, received: Self.noon) == nil)
    }

    @Test("the time that the answer took counts as age (4.2.3)")
    func delay() throws {
        let freshness = try freshness(
            ["cache-control": "max-age=60", "age": "10"], asked: Self.noon - 5000)
        #expect(freshness.age(at: Self.noon) == 15)
        #expect(freshness.age(at: Self.noon + 3999) == 18)
    }

    @Test("a clock that was set back by an hour makes what has a lifetime stale")
    func clockSetBack() {
        let freshness = Freshness(received: Self.noon, lifetime: 60)
        #expect(freshness.standing(at: Self.noon - 5000) == .fresh)
        #expect(freshness.standing(at: Self.noon - 3_600_000) == .stale)
    }

    struct Wish: Sendable {
        var control: String?
        var pragma: String?
        /// Seconds after noon.
        var at: Int64
        var standing: Freshness.Standing
    }

    @Test(
        "a player's wish counts (5.2.1)",
        arguments: [
            Wish(control: "no-cache", at: 0, standing: .stale),
            Wish(control: "No-Cache", at: 0, standing: .stale),
            Wish(control: "max-age=0", at: 0, standing: .stale),
            Wish(control: "max-age=10", at: 10, standing: .fresh),
            Wish(control: "max-age=10", at: 11, standing: .stale),
            Wish(control: "min-fresh=50", at: 10, standing: .fresh),
            Wish(control: "min-fresh=51", at: 10, standing: .stale),
            Wish(control: "max-stale=10", at: 70, standing: .fresh),
            Wish(control: "max-stale=10", at: 71, standing: .stale),
            Wish(control: "max-stale", at: 7100, standing: .fresh),
            Wish(control: "x=\"no-cache\"", at: 0, standing: .fresh),
            Wish(pragma: "no-cache", at: 0, standing: .stale),
            Wish(pragma: "no-cacher", at: 0, standing: .fresh),
            Wish(control: "max-age=50", pragma: "no-cache", at: 0, standing: .fresh),
            Wish(at: 59, standing: .fresh), Wish(at: 60, standing: .stale),
        ])
    func wishes(_ wish: Wish) {
        let freshness = Freshness(received: Self.noon, lifetime: 60)
        let read = FreshnessWish(cacheControl: wish.control, pragma: wish.pragma)
        #expect(freshness.standing(at: Self.noon + wish.at * 1000, for: read) == wish.standing)
    }

    @Test("a player that sends a field that the answer depends on is asked for (4.1)")
    func varies() throws {
        let freshness = try freshness(
            ["cache-control": "max-age=60", "vary": "Foo , Accept-Encoding"])
        #expect(Freshness(text: freshness.text) == freshness)
        var wish = FreshnessWish.none
        wish.sent = ["accept-encoding", "bar"]
        #expect(freshness.standing(at: Self.noon, for: wish) == .fresh)
        wish.sent = ["foo"]
        #expect(freshness.standing(at: Self.noon, for: wish) == .stale)
    }

    /// `Vary: Accept-Encoding Origin` was stored as it came, and could not be read back.
    ///
    /// The video's row counted as damaged at once: a fetch of it ended with 75 for ever, and the proxy
    /// never saved it.
    @Test("whatever an answer says is read back from the store")
    func anyText() throws {
        let parts = [
            ",", " ", "\t", "=", "*", "\"", ";", "\r", "\u{85}", "\u{A0}", "\u{FC}", " date=",
            "vary=",
            "9", "%2C", "Origin", "Accept-Encoding",
        ]
        var generator = SeededGenerator(state: 18)
        func text() -> String {
            (0..<Int.random(in: 0..<6, using: &generator))
                .map { _ in parts[Int.random(in: 0..<parts.count, using: &generator)] }.joined()
        }
        let folder = TemporaryFolder()
        let store = try SQLiteChunkStore(folder: folder.path)
        for round in 0..<500 {
            let names = ["vary", "date", "cache-control", "expires", "age"]
            let headers = Dictionary(uniqueKeysWithValues: names.map { ($0, text()) })
            let information = ContentInformation(
                length: 9, acceptsRanges: true, etag: text(), otherETags: [text(), "", text()],
                freshness: try self.freshness(headers))
            let freshness = try #require(information.freshness)
            #expect(Freshness(text: freshness.text) == freshness, "\(headers)")
            let url = "http://h/\(round)"
            _ = try store.store(information, url: url)
            #expect(try store.video(url: url)?.information == information, "\(headers)")
        }
    }

    @Test("names that a server parts by blanks count each (4.1)")
    func blanksInVary() throws {
        let freshness = try freshness(["vary": "Accept-Encoding Origin"])
        var wish = FreshnessWish.none
        wish.sent = ["origin"]
        #expect(freshness.standing(at: Self.noon, for: wish) == .stale)
    }

    @Test("what is stale may be used while the origin is asked, for as long as it says (RFC 5861)")
    func grace() throws {
        let freshness = try freshness(["cache-control": "max-age=60, stale-while-revalidate=30"])
        #expect(freshness.standing(at: Self.noon + 60_000) == .graced)
        #expect(freshness.standing(at: Self.noon + 90_000) == .graced)
        #expect(freshness.standing(at: Self.noon + 91_000) == .stale)
    }

    @Test("a 304 renews what it says, and leaves the rest (4.3.4)")
    func confirmed() throws {
        let held = Freshness(
            received: Self.noon, age: 50, lifetime: 60, grace: 9, rules: .neverStale, date: "then")
        let now = Self.noon + 1_000_000
        let silent = held.confirmed(by: nil, at: now)
        #expect(silent.standing(at: now + 59_000) == .fresh)
        let dated = try freshness(["date": Self.date], status: 304, at: now)
        let renewed = held.confirmed(by: dated, at: now)
        #expect(renewed.lifetime == 60 && renewed.rules == .neverStale && renewed.grace == 9)
        #expect(renewed.date == Self.date)
        let longer = try freshness(["cache-control": "max-age=90"], status: 304, at: now)
        #expect(held.confirmed(by: longer, at: now).lifetime == 90)
        #expect(held.confirmed(by: longer, at: now).rules == [])
    }

    @Test(
        "what is not such a value is none",
        arguments: ["", "received=1", "received=x age=0 grace=0 rules=0", "received=1 age"])
    func damagedText(_ text: String) { #expect(Freshness(text: text) == nil) }
}
