import Fixture
import OriginFaults
import Testing

@testable import FixtureOrigin

@Suite("Faults change the answers that they can strike")
struct FaultScheduleTests {
    static let video = MemoryVideo((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    static let resource = Resource(
        source: video, etag: "\"tag\"", lastModified: "Sat, 21 Nov 2026 08:00:00 GMT")
    static let whole: Range<Int64> = 0..<10_000

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var fault: OriginFault.Kind
        var argument = OriginFault.Argument.none
        var request = RequestFacts()
        var status: Int
        var body: Range<Int64>?
        /// Expected headers; one with an empty value must be absent.
        var headers: [String: String] = [:]
        var testDescription: String { name }
    }

    static let head = RequestFacts(method: "HEAD")
    static let probe = RequestFacts(range: "bytes=0-1")
    static let rest = RequestFacts(range: "bytes=4000-", ifRange: "\"tag\"")

    static let ranges: [Case] = [
        Case(
            name: "a range is ignored", fault: .ignoreRange, request: rest, status: 200,
            body: whole, headers: ["Content-Range": "", "Content-Length": "10000"]),
        Case(
            name: "a range beyond the end is ignored", fault: .ignoreRange,
            request: RequestFacts(range: "bytes=10000-"), status: 200, body: whole),
        Case(
            name: "416 to a range that is there", fault: .always416, request: rest, status: 416,
            headers: ["Content-Range": "bytes */10000"]),
        Case(name: "no 416 without a range", fault: .always416, status: 200, body: whole),
        Case(
            name: "304 to If-Range", fault: .notModified, request: rest, status: 304,
            headers: ["ETag": "\"tag\"", "Content-Range": "", "Content-Length": "10000"]),
        Case(
            name: "304 to a range from beyond 0", fault: .notModified,
            request: RequestFacts(range: "bytes=1-"), status: 304),
        Case(
            name: "no 304 to a probe", fault: .notModified, request: probe, status: 206, body: 0..<2
        ),
        Case(
            name: "earlier", fault: .earlyRange, request: rest, status: 206, body: 3000..<10_000,
            headers: ["Content-Range": "bytes 3000-9999/10000", "Content-Length": "7000"]),
        Case(
            name: "nothing is earlier than the start", fault: .earlyRange,
            request: probe, status: 206, body: 0..<2),
        Case(
            name: "no total", fault: .unknownTotal, request: rest, status: 206, body: 4000..<10_000,
            headers: ["Content-Range": "bytes 4000-9999/*", "Content-Length": "6000"]),
        Case(
            name: "If-Range with another tag is ignored", fault: .ignoreIfRange,
            request: RequestFacts(range: "bytes=4000-", ifRange: "\"old\""), status: 206,
            body: 4000..<10_000, headers: ["ETag": "\"tag\""]),
        Case(
            name: "If-Range with the same tag is refused", fault: .refuseIfRange, request: rest,
            status: 200, body: whole, headers: ["ETag": "\"tag\"", "Content-Range": ""]),
        Case(
            name: "a range without If-Range is not refused", fault: .refuseIfRange,
            request: probe, status: 206, body: 0..<2),
        Case(
            name: "later", fault: .wrongContentRange, argument: .word("later"), request: rest,
            status: 206, body: 5000..<10_000, headers: ["Content-Range": "bytes 5000-9999/10000"]),
        Case(
            name: "short", fault: .wrongContentRange, argument: .word("short"), request: rest,
            status: 206, body: 4000..<7000, headers: ["Content-Range": "bytes 4000-6999/10000"]),
        Case(
            name: "wrong total", fault: .wrongContentRange, argument: .word("total"), request: rest,
            status: 206, body: 4000..<10_000, headers: ["Content-Range": "bytes 4000-9999/11000"]),
        Case(
            name: "no Content-Range", fault: .wrongContentRange, argument: .word("missing"),
            request: rest, status: 206, body: 4000..<10_000, headers: ["Content-Range": ""]),
    ]

    static let others: [Case] = [
        Case(
            name: "weak tag", fault: .weakETag, status: 200, body: whole,
            headers: ["ETag": "W/\"tag\""]),
        Case(
            name: "a weak tag is no reason for a range", fault: .weakETag,
            request: RequestFacts(range: "bytes=5-", ifRange: "W/\"tag\""), status: 200,
            body: whole),
        Case(
            name: "no validators", fault: .noValidators, request: rest, status: 200, body: whole,
            headers: ["ETag": "", "Last-Modified": ""]),
        Case(
            name: "a date alone", fault: .lastModifiedOnly,
            request: RequestFacts(range: "bytes=5-", ifRange: resource.lastModified), status: 206,
            body: 5..<10_000,
            headers: ["ETag": "", "Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT"]),
        Case(
            name: "no length", fault: .noLength, request: rest, status: 200, body: whole,
            headers: ["Content-Length": "", "Content-Range": "", "Accept-Ranges": ""]),
        Case(
            name: "no length in a HEAD", fault: .noLength, request: head, status: 200,
            headers: ["Content-Length": ""]),
        Case(
            name: "redirect", fault: .redirect, argument: .number(2),
            request: RequestFacts(path: "/a"), status: 302, headers: ["Location": "/a?hop=1"]),
        Case(
            name: "second redirect", fault: .redirect, argument: .number(2),
            request: RequestFacts(path: "/a", hop: 1), status: 302,
            headers: ["Location": "/a?hop=2"]),
        Case(
            name: "end of the redirects", fault: .redirect, argument: .number(2),
            request: RequestFacts(path: "/a", hop: 2), status: 200, body: whole),
        Case(
            name: "no end of the redirects", fault: .redirectLoop,
            request: RequestFacts(path: "/a", hop: 99), status: 302,
            headers: ["Location": "/a?hop=100"]),
        Case(
            name: "HEAD refused", fault: .refuseHead, request: head, status: 405,
            headers: ["Allow": "GET"]),
        Case(name: "GET not refused", fault: .refuseHead, status: 200, body: whole),
        Case(name: "status", fault: .status, argument: .number(503), request: head, status: 503),
        Case(
            name: "encoded", fault: .encode, status: 200, body: 0..<10_023,
            headers: ["Content-Encoding": "gzip", "ETag": "\"tag-gzip\""]),
    ]

    @Test("Edges answer in turn, each with its own tag for the same bytes", arguments: [1, 2, 4])
    func edges(more: Int) throws {
        var schedule = FaultSchedule([OriginFault(.edges, .number(more))], of: Self.resource)
        let answers = (0..<3 * (more + 1)).map { _ in schedule.answer(RequestFacts()) }
        let tags = answers.map { $0.plan.headers["ETag"] }
        let turn = Array(tags[...more])
        #expect(Set(turn).count == more + 1)
        #expect(tags.first == Self.resource.etag)
        #expect(tags == turn + turn + turn)
        #expect(answers.allSatisfy { $0.plan.body == Self.whole && $0.strikes.isEmpty })
        // A condition is met by the tag of the edge that answers, and by no other.
        let conditional = RequestFacts(range: "bytes=5-", ifRange: Self.resource.etag)
        #expect(schedule.answer(conditional).plan.status == 206)
        #expect(schedule.answer(conditional).plan.status == 200)
    }

    @Test("Each fault", arguments: ranges + others)
    func answers(this: Case) {
        var schedule = FaultSchedule([OriginFault(this.fault, this.argument)], of: Self.resource)
        let plan = schedule.answer(this.request).plan
        #expect(plan.status == this.status && plan.body == this.body)
        for (name, value) in this.headers {
            #expect(plan.headers[name] ?? "" == value, "\(name)")
        }
    }

    @Test("A body is broken off only where it is longer")
    func breakOff() {
        for (kind, ending) in [
            (OriginFault.Kind.truncate, Delivery.Ending.close), (.reset, .reset),
            (.silent, .silence),
        ] {
            var schedule = FaultSchedule([OriginFault(kind, .bytes(100))], of: Self.resource)
            #expect(schedule.answer(Self.probe).plan.delivery.breakOff == nil)
            let plan = schedule.answer(Self.rest).plan
            #expect(plan.delivery.breakOff == .init(after: 100, ending: ending))
            #expect(plan.headers["Content-Length"] == "6000")
        }
    }

    @Test("A fault strikes as often as it was told to; answers that it spares do not count")
    func times() {
        var schedule = FaultSchedule(
            [OriginFault(.ignoreRange, times: 2), OriginFault(.status, .number(503), times: 1)],
            of: Self.resource)
        let statuses = [RequestFacts(), Self.rest, RequestFacts(), Self.rest, Self.rest].map {
            schedule.answer($0).plan.status
        }
        #expect(statuses == [503, 200, 200, 200, 206])
    }

    @Test("A strike that is given back is made again")
    func givenBack() {
        let fault = OriginFault(.truncate, .bytes(100), times: 1)
        var schedule = FaultSchedule([fault], of: Self.resource)
        #expect(schedule.answer(RequestFacts()).strikes == [fault])
        #expect(schedule.answer(RequestFacts()).strikes == [])
        schedule.giveBack([fault])
        schedule.giveBack([fault, OriginFault(.always416)])
        #expect(schedule.answer(RequestFacts()).strikes == [fault])
        #expect(schedule.answer(RequestFacts()).strikes == [])
    }

    @Test("The changed version has other bytes everywhere, and other validators")
    func change() throws {
        var schedule = FaultSchedule([OriginFault(.changeETag, .number(2))], of: Self.resource)
        let answers = (1...3).map { _ in schedule.answer(Self.rest) }
        #expect(answers.map(\.plan.status) == [206, 206, 200])
        #expect(answers.map(\.plan.headers["ETag"]) == ["\"tag\"", "\"tag\"", "\"tag-changed\""])
        #expect(
            answers[0].plan.headers["Last-Modified"] != answers[2].plan.headers["Last-Modified"])
        let old = try answers[1].representation.source.bytes(in: Self.whole)
        let new = try answers[2].representation.source.bytes(in: Self.whole)
        #expect(zip(old, new).allSatisfy { $0 != $1 })
        #expect(
            answers[0].representation.source.identity != answers[2].representation.source.identity)
    }

    @Test("A change shows in a date alone, too")
    func changedDate() throws {
        let plain = Resource(source: Self.video)
        var schedule = FaultSchedule(
            [OriginFault(.lastModifiedOnly), OriginFault(.changeETag, .number(1))], of: plain)
        let date = try #require(schedule.answer(RequestFacts()).plan.headers["Last-Modified"])
        let later = schedule.answer(RequestFacts(range: "bytes=5-", ifRange: date)).plan
        #expect(later.status == 200 && later.headers["ETag"] == nil)
    }

    @Test("Parts frame one range, or several")
    func parts() throws {
        for (header, body) in [
            ("bytes=5-9", 5..<10), ("bytes=5-9,20-29", nil),
        ] as [(String, Range<Int64>?)] {
            var schedule = FaultSchedule([OriginFault(.multipart)], of: Self.resource)
            let plan = schedule.answer(RequestFacts(range: header)).plan
            #expect(plan.status == 206 && plan.body == body)
            #expect(plan.headers["Content-Range"] == nil)
            #expect(plan.headers["Content-Length"] == String(plan.bodyLength))
            #expect(
                plan.headers["Content-Type"] == "multipart/byteranges; boundary=part-of-the-video")
        }
    }

    @Test("Any window of the gzip form is that of the whole")
    func gzipWindows() throws {
        let long = try FixtureVideo(seed: 3, length: 1_000_003)
        let gzip = GzipVideo(of: long)
        let all = try gzip.bytes(in: 0..<gzip.length)
        for start in [0, 3, 9, 10, 14, 15, 65_549, 65_550, 65_552, 65_555, gzip.length - 9] {
            for count in [1, 8, 9] as [Int64] where start + count <= gzip.length {
                let window = try gzip.bytes(in: start..<start + count)
                #expect(window == Array(all[Int(start)..<Int(start + count)]), "\(start)")
            }
        }
    }

    /// The standard check value of this checksum.
    @Test("The checksum is gzip's")
    func checksum() {
        var sum = CRC32()
        sum.add(Array("1234".utf8))
        sum.add(Array("56789".utf8))
        #expect(sum.value == 0xCBF4_3926)
    }
}
