import Fixture
import FixtureOrigin
import Foundation
import RigModel
import Testing
import TestSupport

@testable import RigLab

/// A video from an address arrives complete or not at all, and leaves no file behind.
struct VideoFetchTests {
    private let place: TemporaryFolder

    init() throws { place = try TemporaryFolder() }

    private func fetch(
        from server: ListeningSocket, limits: VideoFetch.Limits = .init(most: 1000)
    ) throws {
        try VideoFetch.fetch(
            "http://127.0.0.1:\(server.port)/v.mp4", to: place.file("v"), limits: limits,
            unless: Interruption())
    }

    private func expectNothing() throws {
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).isEmpty)
    }

    /// The error that a fetch of an answer ends with, which is the head, and then the piece
    /// repeatedly until the client has gone; it must leave no file.
    private func refusal(
        of head: String, endlessly piece: [UInt8] = [], every pause: Duration = .zero,
        limits: VideoFetch.Limits = .init(most: 1000)
    ) throws -> RigError? {
        let server = try ListeningSocket { client in
            _ = ListeningSocket.readHead(client)
            ListeningSocket.send(Array(head.utf8), to: client)
            if !piece.isEmpty {
                try? blockUntil("the client has gone", every: pause) {
                    !ListeningSocket.send(piece, to: client)
                }
            }
            close(client)
        }
        defer { server.stop() }
        let error = #expect(throws: RigError.self) { try fetch(from: server, limits: limits) }
        try expectNothing()
        return error
    }

    /// Runs the body while an origin serves a video.
    private func withVideo(_ body: (FixtureVideo, Mount) async throws -> Void) async throws {
        let origin = FixtureOrigin()
        try await origin.start()
        let video = try FixtureVideo(seed: 3, length: 300_000)
        try await body(video, origin.mount(Resource(source: video), at: "/v.mp4"))
        await origin.stop()
    }

    @Test(
        arguments: [
            ("404 Not Found", "Content-Length: 0", "answered 404 instead of 200", .unavailable),
            ("206 Partial", "Content-Length: 9", "answered 206 instead of 200", .unavailable),
            ("204 Nothing", "A: b", "answered 204 instead of 200", .unavailable),
            ("200 OK", "Content-Encoding: gzip", "gzip-encoded", .unavailable),
            ("200 OK", "Content-Length: 1001", "is longer than 1000; allow more", .usage),
            (
                "200 OK", "Content-Length: 99999999999999999999999", "an impossible length",
                .unavailable
            ),
            ("200 OK", "Content-Length: -1", "Content-Length", .unavailable),
            ("200 OK", "Content-Length: 0", "answered with no bytes", .unavailable),
            ("200 OK", "Content-Encoding: utf-8", "answered with no bytes", .unavailable),
            ("200 OK", "Content-Encoding: br", "br-encoded", .unavailable),
            ("200 OK", "Content-Encoding: aws-chunked, gzip", "gzip-encoded", .unavailable),
            ("200 OK", "Content-Range: bytes 0-8/90", "with a part of the video", .unavailable),
            (
                "200 OK", "Content-Range: bytes 0-8/9\r\nContent-Length: 90",
                "with a part of the video", .unavailable
            ),
            ("302 Found", "Content-Length: 0", "answered 302 instead of 200", .unavailable),
            ("200 OK", "Content-Length: 900", "ended after 0 bytes", .unavailable),
        ] as [(String, String, String, RigModel.ExitStatus)])
    func whatIsNoWholeVideoIsRefused(
        status: String, header: String, says: String, code: RigModel.ExitStatus
    ) throws {
        let refusal = try refusal(of: "HTTP/1.1 \(status)\r\n\(header)\r\n\r\n")
        #expect(refusal?.status == code)
        #expect(refusal?.message.contains(says) == true, "\(refusal?.message ?? "")")
    }

    /// A login page became the video of a run.
    @Test(arguments: [
        "text/html; charset=utf-8", "Application/JSON", "application/problem+json",
        "application/xhtml+xml", "image/png", "multipart/byteranges; boundary=x",
    ])
    func whatIsNoVideoIsRefused(type: String) throws {
        let refusal = try refusal(
            of: "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: 4\r\n\r\nfour")
        #expect(refusal?.status == .unavailable)
        #expect(refusal?.message.contains("\(type), which is no video") == true)
    }

    /// "Check the address" was said of each of them.
    @Test(arguments: [
        ("HTTP/1.1 401 Who\r\n\r\n", "wants a login"),
        ("HTTP/1.1 403\r\n\r\n", "wants a login"),
        ("HTTP/1.1 407 Who\r\n\r\n", "the proxy on the way"),
        ("HTTP/1.1 451 No\r\n\r\n", "legal reasons"),
        ("HTTP/1.1 500 No\r\n\r\n", "failure of its own"),
        ("HTTP/1.1 503 Busy\r\nRetry-After: 120\r\n\r\n", "left alone for 120 s; try again"),
        (
            "HTTP/1.1 429 Slow\r\nRetry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n\r\n",
            "left alone until Wed, 21 Oct 2026 07:28:00 GMT; try again"
        ),
        ("SSH-2.0-OpenSSH_9.2\r\n", "does not speak HTTP; check the port"),
        ("220 mail ESMTP\r\n", "does not speak HTTP; check the port"),
        ("", "try again"),
    ])
    func aFailureNamesItsCause(answer: String, says: String) throws {
        let message = try refusal(of: answer)?.message ?? ""
        #expect(message.contains(says), "\(message)")
        #expect(!message.contains("check the address"), "\(message)")
    }

    /// Serves five bytes with these fields to each client.
    private func serving(_ fields: String) throws -> ListeningSocket {
        try ListeningSocket { client in
            _ = ListeningSocket.readHead(client)
            let head = "HTTP/1.1 200 OK\r\n\(fields)\r\nConnection: close\r\n\r\n"
            ListeningSocket.send(Array("\(head)video".utf8), to: client)
            close(client)
        }
    }

    /// Words that are no encoding, and a part that is the whole, were refused.
    @Test(arguments: [
        "Content-Encoding:", "Content-Encoding: aws-chunked", "Content-Encoding: none",
        "Content-Encoding: identity, Identity",
        "Content-Encoding: identity\r\nContent-Encoding: UTF-8", "Content-Range: bytes 0-4/5",
        "Content-Range: bytes=0 - 4 / 5", "Content-Range: 0-4/5",
        "Content-Length: 5\r\nContent-Range: bytes 0-4/5", "Content-Type: text/plain",
        "Content-Type: binary/octet-stream",
    ])
    func whatIsTheWholeVideoIsKept(fields: String) throws {
        let server = try serving(fields)
        defer { server.stop() }
        try fetch(from: server)
        #expect(FileManager.default.contents(atPath: place.file("v")) == Data("video".utf8))
    }

    /// A connection that is closed may have been cut: it was not said that it counts as the end.
    @Test(arguments: [("Content-Length: 5", false), ("Accept-Ranges: none", true)])
    func aLengthThatWasNeverToldIsSaid(fields: String, isSaid: Bool) async throws {
        let server = try serving(fields)
        defer { server.stop() }
        var warnings: [String] = []
        let video = try await ReferenceVideo.fetch(
            try #require(URL(string: "http://127.0.0.1:\(server.port)/v.mp4")),
            into: try RunFolder(existing: place.path), unless: Interruption(),
            warn: { warnings.append($0) })
        #expect(video.bytes.length == 5)
        #expect(warnings.count == (isSaid ? 1 : 0))
        #expect(warnings.allSatisfy { $0.contains("never told its length: ") })
    }

    /// An endless body used to write 11.4 GB in 40 s.
    @Test func aBodyWithoutAnEndStopsAtTheLimit() throws {
        let refusal = try refusal(
            of: "HTTP/1.1 200 OK\r\n\r\n", endlessly: [UInt8](repeating: 7, count: 100_000),
            limits: .init(most: 3 << 20))
        #expect(refusal?.status == .usage)
        #expect(refusal?.message.contains("--video-limit") == true)
    }

    /// A fetch at a byte a second used to go on forever.
    @Test func whatComesTooSlowlyIsGivenUp() throws {
        let refusal = try refusal(
            of: "HTTP/1.1 200 OK\r\n\r\n", endlessly: [7], every: .milliseconds(50),
            limits: .init(most: 1 << 20, seconds: 1))
        #expect(refusal?.status == .unavailable)
        #expect(refusal?.message.contains("came too slowly") == true)
    }

    @Test func aVideoIsKeptWhole() async throws {
        try await withVideo { _, mount in
            let fetched = try await ReferenceVideo.fetch(
                try #require(URL(string: mount.url)), into: try RunFolder(existing: place.path),
                unless: Interruption())
            #expect(fetched.bytes.length == 300_000)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: place.path) == ["reference-video"])
    }

    /// What a proxy says of its tunnel was taken for the origin's: this one's length is too much.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip", "HTTP/1.1 299 Why not",
    ])
    func aVideoComesThroughATunnel(head: String) async throws {
        try await withVideo { video, mount in
            let proxy = try ConnectProxy(.opens([head]))
            let (url, file) = (mount.url, place.file("v"))
            try await offPool {
                _ = try VideoFetch.fetch(
                    url, to: file, limits: .init(most: 1 << 20, tunnel: proxy.address),
                    unless: Interruption())
            }
            #expect(
                FileManager.default.contents(atPath: file)
                    == Data(try video.bytes(in: 0..<300_000)))
            #expect(proxy.requests.count == 1)
        }
    }

    /// A redirect to itself that sets a cookie "redirected too often".
    @Test(arguments: ["seen=1", "a=b; Path=/; HttpOnly"])
    func aRedirectMayWantItsCookie(cookie: String) throws {
        let server = try ListeningSocket { client in
            let head = ListeningSocket.readHead(client) ?? ""
            let answer =
                head.contains("Cookie: \(cookie.prefix(3))")
                ? "200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nvideo"
                : "302 Found\r\nLocation: /v.mp4\r\nSet-Cookie: \(cookie)\r\n"
                    + "Content-Length: 0\r\nConnection: close\r\n\r\n"
            ListeningSocket.send(Array("HTTP/1.1 \(answer)".utf8), to: client)
            close(client)
        }
        try fetch(from: server)
        #expect(FileManager.default.contents(atPath: place.file("v")) == Data("video".utf8))
    }

    @Test(arguments: [
        ("403 Forbidden", "have it allow that"), ("407 Who are you", "user name and password"),
        ("502 Bad Gateway", "can reach the origin"),
    ])
    func aProxyThatRefusesIsNamed(status: String, advice: String) throws {
        let proxy = try ConnectProxy(.refuses("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nno"))
        expectError(.unavailable, "answered \(status.prefix(3)) to the connection", advice) {
            try VideoFetch.fetch(
                "http://127.0.0.1:9/v.mp4", to: place.file("v"),
                limits: .init(most: 1 << 20, tunnel: proxy.address), unless: Interruption())
        }
        try expectNothing()
    }

    /// Each failure used to leave a temporary file, and an interruption what had come before it.
    @Test(arguments: [true, false])
    func nothingIsLeft(isInterrupted: Bool) async throws {
        try await withVideo { _, mount in
            mount.hold(afterDistinctBytes: 100_000)
            let folder = try RunFolder(existing: place.path)
            let interruption = Interruption()
            let url = try #require(URL(string: mount.url))
            let limit = isInterrupted ? ReferenceVideo.standardLimit : ByteSize(bytes: 200_000)
            let fetched = Task {
                try await ReferenceVideo.fetch(
                    url, into: folder, limit: limit, unless: interruption)
            }
            if isInterrupted {
                try await eventually("a part has come") {
                    !(try FileManager.default.contentsOfDirectory(atPath: place.path)).isEmpty
                }
                interruption.raise()
            }
            let error = await #expect(throws: RigError.self) { try await fetched.value }
            #expect(
                isInterrupted
                    ? error?.status == .interrupted
                    : error?.message.contains("--video-limit") == true)
        }
        try expectNothing()
    }

    @Test func anOriginThatIsNotThereIsSaidSo() async throws {
        let folder = try RunFolder(existing: place.path)
        let error = await #expect(throws: RigError.self) {
            try await ReferenceVideo.fetch(
                try #require(URL(string: "http://127.0.0.1:9/v.mp4")), into: folder,
                unless: Interruption())
        }
        #expect(error?.status == .unavailable)
        #expect(
            error?.message.contains("cannot fetch http://127.0.0.1:9/v.mp4: ") == true,
            "\(error?.message ?? "")")
        try expectNothing()
    }

    /// The rig used to wait for a writer of the pipe, and ignored every signal meanwhile.
    @Test func aPipeIsNoVideo() throws {
        try #require(mkfifo(place.file("pipe"), 0o600) == 0)
        expectError(.usage, "not a regular file") {
            _ = try ReferenceVideo.file(place.file("pipe"), named: "pipe")
        }
    }
}
