import Testing

@testable import VideoCache

/// A program that sends the current time as its Last-Modified had every request throw the cache away.
@Suite("A date that is not older than its answer names no version (RFC 9110, 8.8.2.2)")
struct ModificationDateTests {
    private static let now = "Thu, 26 Nov 2026 12:00:00 GMT"

    @Test(
        "it has to be older by a second",
        arguments: [
            ("Thu, 26 Nov 2026 11:59:59 GMT", true), (now, false),
            ("Thu, 26 Nov 2026 12:00:01 GMT", false), ("Fri, 27 Nov 2026 00:00:00 GMT", false),
            ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("yesterday", false), ("", false),
        ] as [(date: String, isOlder: Bool)], [true, false])
    func older(changed: (date: String, isOlder: Bool), hasDate: Bool) throws {
        var headers = ["Last-Modified": changed.date]
        if hasDate { headers["Date"] = Self.now }
        let clock = try #require(HTTPDate.seconds(Self.now))
        // With a date of its own the answer is not compared with the clock.
        let facts = ContentInformation(
            head: HTTPResponseHead(status: 200, headers: headers), length: 1,
            receivedAt: hasDate ? clock + 1_000_000 : clock)
        #expect(facts.lastModified == (changed.isOlder ? changed.date : nil))
        #expect(facts.validator == (changed.isOlder ? changed.date : nil))
        // Beside a tag the date does not count, not even beside a weak one.
        headers["ETag"] = "W/\"1\""
        let weak = ContentInformation(
            head: HTTPResponseHead(status: 200, headers: headers), length: 1)
        #expect(weak.validator == nil)
    }

    @Test("a Date that cannot be read is none")
    func unreadableDate() throws {
        let clock = try #require(HTTPDate.seconds(Self.now))
        let head = HTTPResponseHead(
            status: 200, headers: ["Last-Modified": Self.now, "Date": "tomorrow"])
        #expect(ContentInformation(head: head, length: 1, receivedAt: clock).lastModified == nil)
        #expect(
            ContentInformation(head: head, length: 1, receivedAt: clock + 1).lastModified
                == Self.now)
    }

    @Test("the clock of this machine counts as dates do")
    func clock() throws {
        let epoch = try #require(HTTPDate.seconds("Thu, 01 Jan 1970 00:00:00 GMT"))
        let later = try #require(HTTPDate.seconds("Fri, 01 Jan 2100 00:00:00 GMT"))
        let built = try #require(HTTPDate.seconds("Sat, 01 Nov 2025 00:00:00 GMT"))
        #expect(epoch < built && (built..<later).contains(Int(CacheClock.system.now / 1000)))
    }
}
