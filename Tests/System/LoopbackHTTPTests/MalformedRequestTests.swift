import Foundation
import TestSupport
import Testing

@testable import LoopbackHTTP

/// What is no request gets an answer that says why, and then the connection ends.
///
/// It was closed without a word, or answered as if nothing were wrong; a byte that is not UTF-8 in
/// any field was such a reason.
@Suite(.serialized) struct MalformedRequestTests {
    private static let host = "\r\nHost: x"

    static let lines: [(String, Int)] = [
        ("GET /\r\n", 400), ("HEAD /\r\n", 400), ("hello\r\n", 400),
        ("GET  / HTTP/1.1\(host)\r\n", 400),
        (" GET / HTTP/1.1\(host)\r\n", 400), ("GET / HTTP/1.1 \(host)\r\n", 400),
        ("GET\t/\tHTTP/1.1\(host)\r\n", 400), ("G(T / HTTP/1.1\(host)\r\n", 400),
        ("GET /\u{0} HTTP/1.1\(host)\r\n", 400), ("GET /\u{7F} HTTP/1.1\(host)\r\n", 400),
        ("GET / http/1.1\(host)\r\n", 400), ("GET / HTTP/1\(host)\r\n", 400),
        ("GET / HTTP/1.10\(host)\r\n", 400), ("GET / HTTP/1.1\rX: y\(host)\r\n", 400),
        ("GET / HTTP/9.9\(host)\r\n", 505), ("GET / HTTP/2.0\(host)\r\n", 505),
        ("GET / HTTP/0.9\(host)\r\n", 505), ("GET a HTTP/1.1\(host)\r\n", 400),
        ("GET * HTTP/1.1\(host)\r\n", 400), ("GET x:80 HTTP/1.1\(host)\r\n", 400),
        ("GET ftp://x/ HTTP/1.1\(host)\r\n", 400), ("GET http:///a HTTP/1.1\(host)\r\n", 400),
        ("GET http://u@x/ HTTP/1.1\(host)\r\n", 400), ("GET /#a HTTP/1.1\(host)\r\n", 400),
        ("GET /\(String(repeating: "x", count: RequestReader.mostHeadBytes)) HTTP/1.1\r\n", 414),
    ]

    static let fields: [(String, Int)] = [
        ("", 400), ("Host: x\r\nHost: x", 400), ("Host: x\r\nHOST: y", 400), ("Host: a b", 400),
        ("Host: a/b", 400), ("Host: u@x", 400), ("Host: x\r\nA : b", 400),
        ("Host : x", 400), ("Host: x\r\nA\t: b", 400), ("Host: x\r\n: b", 400),
        ("Host: x\r\nnonsense", 400), ("Host: x\r\nA b: c", 400), ("Host: x\r\nA\u{e9}: c", 400),
        ("Host: x\r\nA: b\r\n c", 400), (" Host: x", 400), ("Host: x\r\nA: b\u{0}c", 400),
        ("Host: x\r\nA: b\u{1B}c", 400), ("Host: x\r\nA: b\rc", 400),
        ("Host: x\r\nA: b\u{7F}", 400), ("Host: x\r\nContent-Length: x", 400),
        ("Host: x\r\nContent-Length: -1", 400), ("Host: x\r\nContent-Length: +1", 400),
        ("Host: x\r\nContent-Length: ", 400), ("Host: x\r\nContent-Length: 0x1", 400),
        ("Host: x\r\nContent-Length: 99999999999999999999", 400),
        ("Host: x\r\nContent-Length: 1\r\nContent-Length: 2", 400),
        ("Host: x\r\nContent-Length: 1, 2", 400),
        ("Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 400),
        ("Host: x\r\nTransfer-Encoding: gzip", 400), ("Host: x\r\nTransfer-Encoding: ", 400),
        ("Host: x\r\nTransfer-Encoding: chunked, gzip", 400),
        ("Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked", 400),
        ("Host: x\r\nTransfer-Encoding: \u{B}chunked", 400),
        ("Host: x\r\nTransfer-Encoding: gzip, chunked", 501),
        ("Host: x\r\n\(String(repeating: "a: b\r\n", count: 20_000))a: b", 431),
    ]

    /// The answer has one status line, a date and a reason, and after it the server goes on.
    private func expectRefusal(_ request: String, _ status: Int) async throws {
        try await ServerFixture.run { fixture in
            let answer = try await fixture.reply(to: request)
            let parts = answer.components(separatedBy: "\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
            #expect(answer.contains(ServerFixture.date) && answer.contains("Connection: close"))
            #expect(parts.count == 2 && (parts.last?.count ?? 0) > 10, "\(answer)")
            let next = "GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            #expect(try await fixture.reply(to: next) == ServerFixture.echoed("GET /2"))
        }
    }

    @Test(arguments: lines)
    func aLineThatIsNoRequestIsRefused(line: String, status: Int) async throws {
        try await expectRefusal(line + "\r\n", status)
    }

    @Test(arguments: fields)
    func fieldsThatAreNoneAreRefused(fields: String, status: Int) async throws {
        try await expectRefusal(
            "GET / HTTP/1.1\r\n\(fields)\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n", status)
    }

    @Test func chunksOfAnOldVersionAreRefused() async throws {
        try await expectRefusal(
            "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400)
    }

    @Test func anAnswerToHEADHasNoBody() async throws {
        try await ServerFixture.run { fixture in
            let answer = try await fixture.reply(to: "HEAD / HTTP/1.1\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.hasSuffix("\r\n\r\n"))
        }
    }

    /// The client still sends when it is refused, and gets the whole answer all the same.
    @Test func aClientThatSendsOnGetsTheAnswer() async throws {
        try await ServerFixture.run { fixture in
            let request =
                "GET / HTTP/9.9\r\nHost: x\r\n\r\n" + String(repeating: "x", count: 1 << 20)
            let answer = try await fixture.reply(to: request)
            #expect(answer.hasPrefix("HTTP/1.1 505 ") && answer.hasSuffix("use HTTP/1.1\n"))
        }
    }

    /// What looks unusual and is right.
    @Test(arguments: [
        "\r\n\r\nGET /1 HTTP/1.1\r\nHost: x\r\n\r\n", "GET /1 HTTP/1.1\nHost:x\n\n",
        "GET http://x/1 HTTP/1.1\r\nHost: y\r\n\r\n", "GET /1 HTTP/1.1\r\nHost:\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: x\r\nA: \u{e9}\u{ff}\u{80}\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: x\r\nA:\tb\tc\t\r\nA:\r\n\r\n",
        "GET /1 HTTP/1.1\r\nHost: [::1]:80\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func whatIsRightIsAnswered(request: String) async throws {
        try await ServerFixture.run { fixture in
            let both = request + "GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            let answer = try await fixture.reply(to: both)
            #expect(answer == ServerFixture.echoed("GET /1") + ServerFixture.echoed("GET /2"))
        }
    }
}
