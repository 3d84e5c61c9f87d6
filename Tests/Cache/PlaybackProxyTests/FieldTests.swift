import Fixture
import FixtureOrigin
import Foundation
import LoopbackHTTP
import Synchronization
import TestSupport
import Testing
import VideoCache

@testable import PlaybackProxy

/// The fields of players' requests and of origins' answers: as bytes, and to whom they go.
@Suite struct FieldTests {
    /// A field with a byte that is not UTF-8 closed the connection without an answer.
    @Test(arguments: ["User-Agent: VLC \u{e9}", "Cookie: a=\u{ff}\u{80}", "X-Any: \u{a0}"])
    func aFieldNeedNotBeText(field: String) async throws {
        try await ProxyFixture.run { fixture in
            for _ in 0..<2 {
                let reply = try await fixture.exchange("GET", nil, [field, "Range: bytes=0-9"])
                #expect(reply.status == 206)
                #expect(reply.body == (try fixture.bytes(0..<10)))
                // The date of the origin's answer, which was cached (RFC 9111, 4.2.3).
                #expect(reply.headers["date"]?.hasSuffix(" GMT") == true)
            }
        }
    }

    /// Bytes of one tag that are another tag's are not equal to them, and are sent as they came.
    @Test(arguments: [("\"\u{E9}\"", "\"\u{E8}\""), ("\"\u{C3}\u{A9}\"", "\"e\u{CC}\u{81}\"")])
    func aTagIsItsBytes(tag: String, other: String) async throws {
        try await ProxyFixture.run { fixture in
            let mount = fixture.origin.mount(
                Resource(source: fixture.video, etag: tag), at: "/t.mp4")
            let path = fixture.path(of: mount.url)
            for _ in 0..<2 {
                let reply = try await fixture.exchange("GET", path)
                #expect(reply.headers["etag"] == tag && reply.status == 200)
                try await fixture.settled()
            }
            func status(_ field: String, _ tag: String) async throws -> Int {
                try await fixture.exchange("GET", path, ["\(field): \(tag)", "Range: bytes=0-1"])
                    .status
            }
            #expect(try await status("If-None-Match", tag) == 304)
            #expect(try await status("If-None-Match", other) == 206)
            #expect(try await status("If-Match", tag) == 206)
            #expect(try await status("If-Match", other) == 412)
            #expect(try await status("If-Range", tag) == 206)
            #expect(try await status("If-Range", other) == 200)
        }
    }

    @Test(arguments: [
        ("GET / HTTP/9.9\r\nHost: localhost\r\n", 505), ("GET / HTTP/1.1\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nA: \u{1b}\r\n", 400), ("GET\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n", 400),
    ])
    func whatIsNoRequestIsToldSo(request: String, status: Int) async throws {
        try await ProxyFixture.run { fixture in
            let (head, body) = try await SocketClient.work(at: fixture.proxy.port) { client in
                client.send(raw: request + "\r\n")
                return (try client.readHead(), try client.readToEnd())
            }
            #expect(head.status == status && head.headers["connection"] == "close")
            #expect(head.headers["x-content-type-options"] == "nosniff")
            #expect(body.count > 10 && head.headers["content-length"] == "\(body.count)")
        }
    }

    /// A whole address as the target (RFC 9112, 3.2.2): its host counts, and not that of the field.
    @Test func aWholeAddressIsTaken() async throws {
        try await ProxyFixture.run { fixture in
            let port = fixture.proxy.port
            let right = try await fixture.exchange(
                "GET", "http://127.0.0.1:\(port)\(fixture.path)", ["Host: 127.0.0.1"], isWhole: true
            )
            #expect(right.status == 200)
            let foreign = try await fixture.exchange(
                "GET", "http://evil.example\(fixture.path)", ["Host: 127.0.0.1"], isWhole: true)
            #expect(foreign.status == 403)
        }
    }

    /// Runs a test beside a server that keeps the requests that it gets, and answers with a small video.
    private func withRecorder(
        _ test: (ProxyFixture, _ url: String, _ seen: @Sendable () -> [RequestHead]) async throws ->
            Void
    ) async throws {
        let requests = Box()
        try await ProxyFixture.run { request, connection in
            requests.list.withLock { $0.append(request) }
            let head = ResponseHead(200, "OK", fields: ["ETag": "\"1\""], length: 5)
            let bytes = head.bytes(answering: request, by: connection.clock)
            try await connection.write((bytes + Array("video".utf8))[...])
        } _: { fixture, origin in
            try await test(fixture, origin + "/v") { requests.list.withLock { $0 } }
        }
    }

    private final class Box: Sendable {
        let list = Mutex<[RequestHead]>([])
    }

    /// What a player sends of an allow-list goes to the origin, and nothing else does; the cache finds
    /// the video whatever they are.
    @Test func aPlayersFieldsArePassedOn() async throws {
        try await withRecorder { fixture, url, seen in
            let fields = [
                "Referer: http://page.example/", "Cookie: a=b\u{e9}", "Authorization: Basic x",
                "User-Agent: VLC/3", "Origin: http://127.0.0.1:1",
            ]
            let path = fixture.path(of: url)
            let reply = try await fixture.exchange(
                "GET", path, fields + ["X-Other: 1", "Accept-Language: de", "DNT: 1"])
            #expect(reply.text == "video")
            #expect(!seen().isEmpty)
            for request in seen() {
                for field in fields {
                    let parts = field.components(separatedBy: ": ")
                    #expect(request[parts[0]] == parts[1])
                }
                #expect(request["X-Other"] == nil && request["Accept-Language"] == nil)
                #expect(request["Accept-Encoding"] == "identity")
            }
            let count = seen().count
            let again = try await fixture.exchange("GET", path, ["Cookie: other=1"])
            #expect(again.text == "video" && seen().count == count)
        }
    }

    /// The key that is in the proxy's own address is not told to origins; and a browser's cookies are
    /// those of other programs at 127.0.0.1.
    @Test func secretsOfThisMachineStayHere() async throws {
        try await withRecorder { fixture, url, seen in
            let reply = try await fixture.exchange(
                "GET", fixture.path(of: url),
                [
                    "Referer: \(fixture.proxy.address)/", "Sec-Fetch-Site: same-origin",
                    "Cookie: session=secret", "User-Agent: Firefox",
                ])
            #expect(reply.text == "video")
            for request in seen() {
                #expect(request["Referer"] == nil && request["Cookie"] == nil)
                #expect(request["User-Agent"] == "Firefox")
            }
        }
    }
}
