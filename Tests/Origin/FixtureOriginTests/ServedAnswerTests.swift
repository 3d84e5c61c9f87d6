import Fixture
import Foundation
import OriginFaults
import Testing
import TestSupport

@testable import FixtureOrigin

/// Compares the origin's record of its connections with the bytes that they carry.
@Suite("A connection's bytes are accounted for") struct ServedAnswerTests {
    struct Question: Sendable, CustomTestStringConvertible {
        var method = "GET"
        var path = OriginFixture.path
        var headers: [String] = []
        var faults: [OriginFault.Kind] = []
        var argument = OriginFault.Argument.none

        var testDescription: String { "\(method) \(path) \(headers) \(faults) \(argument)" }
    }

    static let length: Int64 = 5000

    static let questions: [Question] = [
        Question(), Question(headers: ["Range: bytes=10-99"]),
        Question(headers: ["Range: bytes=4000-"]), Question(headers: ["Range: bytes=5000-"]),
        Question(headers: ["Range: bytes=0-1,7-9"]), Question(headers: ["If-None-Match: *"]),
        Question(headers: ["If-Match: \"other\""]), Question(method: "HEAD"),
        Question(method: "POST", headers: ["Content-Length: 0"]),
        Question(path: "/none"), Question(method: "HEAD", path: "/none/either"),
        Question(headers: ["Range: bytes=10-"], faults: [.ignoreRange]),
        Question(faults: [.weakETag]), Question(faults: [.noValidators]),
        Question(faults: [.lastModifiedOnly]),
        Question(faults: [.changeETag], argument: .number(1)),
        Question(faults: [.redirect], argument: .number(3)), Question(faults: [.redirectLoop]),
        Question(headers: ["Range: bytes=10-"], faults: [.always416]),
        Question(headers: ["Range: bytes=10-"], faults: [.notModified]),
        Question(headers: ["Range: bytes=1500-"], faults: [.earlyRange]),
        Question(headers: ["Range: bytes=0-1,7-9"], faults: [.multipart]),
        Question(headers: ["Range: bytes=7-9"], faults: [.multipart]),
        Question(faults: [.truncate], argument: .bytes(1234)),
        Question(faults: [.overlong], argument: .bytes(77)),
        Question(faults: [.noLength]), Question(method: "HEAD", faults: [.noLength]),
        Question(faults: [.encode]), Question(method: "HEAD", faults: [.refuseHead]),
    ]

    static let wrongRanges: [Question] = ["later", "short", "total", "missing"].map { word in
        Question(
            headers: ["Range: bytes=1500-"], faults: [.wrongContentRange], argument: .word(word))
    }

    static let statuses: [Question] = [403, 404, 429, 500, 503, 418].map {
        Question(faults: [.status], argument: .number($0))
    }

    private static func run(
        _ faults: [OriginFault] = [], _ test: (OriginFixture) async throws -> Void
    ) async throws {
        try await OriginFixture.run(faults: faults) { fixture in
            let bytes = [UInt8](repeating: 7, count: Int(length))
            _ = fixture.origin.mount(Resource(source: MemoryVideo(bytes)), at: OriginFixture.path)
            try await test(fixture)
        }
    }

    /// Two requests sent together on one connection, the second of which ends it.
    @Test(
        arguments: questions + wrongRanges + statuses, [nil, "Keep-Alive, Upgrade"])
    func everyByteOfAnAnswerIsCounted(question: Question, connection: String?) async throws {
        let faults = question.faults.map { OriginFault($0, question.argument) }
        try await Self.run(faults) { fixture in
            let tap = fixture.origin.tap()
            let bytes = try await SocketClient.work(at: fixture.port) { client in
                let fields = question.headers
                client.send(
                    question.method, question.path,
                    fields + (connection.map { ["Connection: \($0)"] } ?? []))
                client.send(question.method, question.path, fields + ["Connection: close"])
                return try client.readToEnd()
            }
            let answers = tap.take()
            let first = try #require(answers.first)
            let end = try #require(Data(bytes).firstRange(of: Data("\r\n\r\n".utf8)))
            #expect(first.headBytes == Int64(end.upperBound))
            let bodies = answers.compactMap(\.body.streamBytes)
            guard bodies.count == answers.count else {
                #expect(question.faults.contains(.noLength))
                return
            }
            let sum = answers.reduce(0) { $0 + $1.headBytes } + bodies.reduce(0, +)
            #expect(sum == Int64(bytes.count))
        }
    }

    /// What is no request gets an answer, which is recorded like any other.
    @Test(arguments: [
        ("GET / HTTP/9.9\r\nHost: x\r\n", 505), ("GET /1/video.mp4 HTTP/1.1\r\n", 400),
        ("HEAD / HTTP/1.1\r\nHost: x\r\nHost: y\r\n", 400), ("hello\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: x\r\nA : b\r\n", 400),
    ])
    func everyByteOfARefusalIsCounted(request: String, status: Int) async throws {
        try await Self.run { fixture in
            let tap = fixture.origin.tap()
            let (head, all) = try await SocketClient.work(at: fixture.port) { client in
                client.send("GET", OriginFixture.path, ["Range: bytes=0-9"])
                client.send(raw: request + "\r\n")
                let first = try client.readHead()
                _ = try client.read(10)
                return (first, try client.readToEnd())
            }
            #expect(head.status == 206 && head.headers["date"]?.hasSuffix(" GMT") == true)
            #expect(String(decoding: all, as: UTF8.self).hasPrefix("HTTP/1.1 \(status) "))
            let answers = tap.take()
            #expect(answers.count == 2)
            let last = try #require(answers.last)
            #expect(last.mountPath == nil)
            #expect(last.headBytes + (last.body.streamBytes ?? -1) == Int64(all.count))
        }
    }

    @Test func aBodyLiesWhereTheVideoHasIt() {
        func body(_ range: String?, _ method: String = "GET") -> ServedAnswer.Body {
            let video = MemoryVideo([UInt8](repeating: 1, count: 100))
            let request = RequestFacts(method: method, range: range)
            return ResponsePlan(answering: request, with: Resource(source: video))
                .servedBody(isEncoded: false)
        }
        #expect(body(nil) == .positions(0..<100, streamBytes: 100))
        #expect(body("bytes=7-8") == .positions(7..<9, streamBytes: 2))
        #expect(body("bytes=100-") == .none)
        #expect(body(nil, "HEAD") == .none)
    }

    @Test(
        "What is no run of positions is not placed",
        arguments: [OriginFault.Kind.noLength, .encode, .multipart])
    func notPlaceable(fault: OriginFault.Kind) async throws {
        let faults = [OriginFault(fault)]
        try await Self.run(faults) { fixture in
            let tap = fixture.origin.tap()
            let client = try await fixture.client(["Range: bytes=1-9", "Connection: close"])
            _ = try await offPool { try client.readToEnd() }
            guard case .unplaced? = tap.take().first?.body else {
                Issue.record("it was given a place")
                return
            }
        }
    }

    @Test func whatWasSentOfACutAnswerIsCounted() async throws {
        let faults = [OriginFault(.limitData, .bytes(1000))]
        try await Self.run(faults) { fixture in
            let tap = fixture.origin.tap()
            let client = try await fixture.client()
            let count = try await offPool { try client.readToEnd().count }
            let answer = try #require(tap.take().first)
            #expect(answer.mountPath == OriginFixture.path)
            #expect(count == 1000)
            #expect(answer.sent?.count == 1000)
        }
    }

    @Test func aTapTakesEachAnswerOnceAndOnlyFromItsBeginningOn() async throws {
        try await Self.run() { fixture in
            _ = try await fixture.exchange()
            let tap = fixture.origin.tap()
            _ = try await fixture.exchange("GET", "/none")
            _ = try await fixture.exchange()
            #expect(tap.take().map(\.mountPath) == [nil, OriginFixture.path] && tap.take().isEmpty)
        }
    }
}
