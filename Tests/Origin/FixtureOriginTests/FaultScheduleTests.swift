import Fixture
import OriginFaults
import Testing

@testable import FixtureOrigin

@Suite("Faults change the answers that they can strike") struct FaultScheduleTests {
    static let video = MemoryVideo((0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    static let resource = Resource(
        source: video, etag: "\"tag\"", lastModified: "Sat, 21 Nov 2026 08:00:00 GMT")
    static let whole: Range<Int64> = 0..<10_000

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: OriginFault
        let request: RequestFacts
        let status: Int
        let body: Range<Int64>?
        /// Expected headers; one with an empty value must be absent.
        let headers: [String: String]

        init(
            _ name: String, _ fault: OriginFault.Kind, _ request: RequestFacts, _ status: Int,
            _ body: Range<Int64>? = nil, _ headers: [String: String] = [:],
            argument: OriginFault.Argument = .none
        ) {
            (testDescription, self.fault) = (name, OriginFault(fault, argument))
            (self.request, self.status) = (request, status)
            (self.body, self.headers) = (body, headers)
        }
    }

    static let plain = RequestFacts()
    static let head = RequestFacts(method: "HEAD")
    static let probe = RequestFacts(range: "bytes=0-1")
    static let rest = RequestFacts(range: "bytes=4000-", ifRange: "\"tag\"")

    static let ranges: [Case] = [
        Case(
            "a range is ignored", .ignoreRange, rest, 200, whole,
            ["Content-Range": "", "Content-Length": "10000"]),
        Case(
            "a range beyond the end is ignored", .ignoreRange, RequestFacts(range: "bytes=10000-"),
            200, whole),
        Case(
            "416 to a range that is there", .always416, rest, 416, nil,
            ["Content-Range": "bytes */10000"]),
        Case("no 416 without a range", .always416, plain, 200, whole),
        Case(
            "304 to If-Range", .notModified, rest, 304, nil,
            ["ETag": "\"tag\"", "Content-Range": "", "Content-Length": "10000"]),
        Case("304 to a range from beyond 0", .notModified, RequestFacts(range: "bytes=1-"), 304),
        Case("no 304 to a probe", .notModified, probe, 206, 0..<2),
        Case(
            "earlier", .earlyRange, rest, 206, 3000..<10_000,
            ["Content-Range": "bytes 3000-9999/10000", "Content-Length": "7000"]),
        Case("nothing is earlier than the start", .earlyRange, probe, 206, 0..<2),
        Case(
            "no total", .unknownTotal, rest, 206, 4000..<10_000,
            ["Content-Range": "bytes 4000-9999/*", "Content-Length": "6000"]),
        Case(
            "If-Range with another tag is ignored", .ignoreIfRange,
            RequestFacts(range: "bytes=4000-", ifRange: "\"old\""), 206, 4000..<10_000,
            ["ETag": "\"tag\""]),
        Case(
            "If-Range with the same tag is refused", .refuseIfRange, rest, 200, whole,
            ["ETag": "\"tag\"", "Content-Range": ""]),
        Case("a range without If-Range is not refused", .refuseIfRange, probe, 206, 0..<2),
        Case(
            "later", .wrongContentRange, rest, 206, 5000..<10_000,
            ["Content-Range": "bytes 5000-9999/10000"], argument: .word("later")),
        Case(
            "short", .wrongContentRange, rest, 206, 4000..<7000,
            ["Content-Range": "bytes 4000-6999/10000"], argument: .word("short")),
        Case(
            "wrong total", .wrongContentRange, rest, 206, 4000..<10_000,
            ["Content-Range": "bytes 4000-9999/11000"], argument: .word("total")),
        Case(
            "no Content-Range", .wrongContentRange, rest, 206, 4000..<10_000, ["Content-Range": ""],
            argument: .word("missing")),
    ]

    static let others: [Case] = [
        Case("weak tag", .weakETag, plain, 200, whole, ["ETag": "W/\"tag\""]),
        Case(
            "a weak tag is no reason for a range", .weakETag,
            RequestFacts(range: "bytes=5-", ifRange: "W/\"tag\""), 200, whole),
        Case("no validators", .noValidators, rest, 200, whole, ["ETag": "", "Last-Modified": ""]),
        Case(
            "a date alone", .lastModifiedOnly,
            RequestFacts(range: "bytes=5-", ifRange: resource.lastModified), 206, 5..<10_000,
            ["ETag": "", "Last-Modified": "Sat, 21 Nov 2026 08:00:00 GMT"]),
        Case(
            "no length", .noLength, rest, 200, whole,
            ["Content-Length": "", "Content-Range": "", "Accept-Ranges": ""]),
        Case("no length in a HEAD", .noLength, head, 200, nil, ["Content-Length": ""]),
        Case(
            "redirect", .redirect, RequestFacts(path: "/a"), 302, nil, ["Location": "/a?hop=1"],
            argument: .number(2)),
        Case(
            "second redirect", .redirect, RequestFacts(path: "/a", hop: 1), 302, nil,
            ["Location": "/a?hop=2"], argument: .number(2)),
        Case(
            "end of the redirects", .redirect, RequestFacts(path: "/a", hop: 2), 200, whole,
            argument: .number(2)),
        Case(
            "no end of the redirects", .redirectLoop, RequestFacts(path: "/a", hop: 99), 302, nil,
            ["Location": "/a?hop=100"]),
        Case("HEAD refused", .refuseHead, head, 405, nil, ["Allow": "GET"]),
        Case("GET not refused", .refuseHead, plain, 200, whole),
        Case("status", .status, head, 503, argument: .number(503)),
        Case(
            "encoded", .encode, plain, 200, 0..<10_023,
            ["Content-Encoding": "gzip", "ETag": "\"tag-gzip\""]),
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

    @Test("Each fault", arguments: ranges + others) func answers(this: Case) {
        var schedule = FaultSchedule([this.fault], of: Self.resource)
        let plan = schedule.answer(this.request).plan
        #expect(plan.status == this.status && plan.body == this.body)
        for (name, value) in this.headers { #expect(plan.headers[name] ?? "" == value, "\(name)") }
    }

    @Test("A body is broken off only where it is longer") func breakOff() {
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

    @Test("A strike that is given back is made again") func givenBack() {
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

    @Test("A change shows in a date alone, too") func changedDate() throws {
        let plain = Resource(source: Self.video)
        var schedule = FaultSchedule(
            [OriginFault(.lastModifiedOnly), OriginFault(.changeETag, .number(1))], of: plain)
        let date = try #require(schedule.answer(RequestFacts()).plan.headers["Last-Modified"])
        let later = schedule.answer(RequestFacts(range: "bytes=5-", ifRange: date)).plan
        #expect(later.status == 200 && later.headers["ETag"] == nil)
    }

    @Test("Parts frame one range, or several") func parts() throws {
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

    @Test("Any window of the gzip form is that of the whole") func gzipWindows() throws {
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
    @Test("The checksum is gzip's") func checksum() {
        var sum = CRC32()
        sum.add(Array("1234".utf8))
        sum.add(Array("56789".utf8))
        #expect(sum.value == 0xCBF4_3926)
    }
}
