import Fixture
import FixtureOrigin
import Foundation
import Synchronization
import TestSupport
import Testing

/// Header fields as the downloader shows and sends them; as bytes, `FieldBytesTests` has them.
@Suite struct FieldTests {
    private let place = Workplace()

    private static let length: Int64 = 4 << 20

    private func video(_ seed: UInt64) throws -> MemoryVideo {
        try MemoryVideo(copying: FixtureVideo(seed: seed, length: Self.length))
    }

    private func arguments(_ url: String, _ storage: String) -> [String] {
        [
            "fetch", url, "--cache", "cache", "--storage", storage, "--threshold", "256KB",
            "--output", "out", "--retries", "0",
        ]
    }

    /// An error, and the log, handed on the escape sequence of a type as it was.
    @Test func aTypeIsSaidWithoutControlCharacters() async throws {
        try await withOrigin { origin in
            let type = "text/html;\u{9B}31mred"
            let page = Resource(source: try video(1), contentType: type)
            let mount = origin.mount(page, at: "/v.mp4")
            let outcome = try await downloader(
                arguments(mount.url, "file") + ["--verbose"], in: place
            ).exits(69).complains("text/html;?31mred")
            #expect(!outcome.complaint.unicodeScalars.contains("\u{9B}"))
        }
    }

    /// What an origin says cannot steer the terminal that `status` is read in.
    @Test func aTagIsShownWithoutControlCharacters() async throws {
        try await withOrigin { origin in
            let tag = "\"a\u{9B}31m\u{E9}\""
            let mount = origin.mount(Resource(source: try video(1), etag: tag), at: "/v.mp4")
            try await downloader(arguments(mount.url, "file"), in: place).exits(0)
            let status = try await downloader(["status", "--cache", "cache"], in: place)
            status.prints("\"a?31m\u{E9}\"")
            let values = status.output.unicodeScalars.map(\.value)
            #expect(!values.contains { (0x7F...0x9F).contains($0) })
        }
    }

    /// An origin that answers 403 without a header, on a server of its own.
    @Test(arguments: ["file", "rows"])
    func aHeaderIsSentAndNeverKept(storage: String) async throws {
        let origin = try StrictOrigin(wants: "authorization: Bearer hush-hush")
        let command = arguments(origin.url, storage) + ["--verbose"]
        let without = try await downloader(command, in: place)
        #expect(without.exitCode == 69 && without.complaint.contains("403"))
        let outcome = try await downloader(
            command + ["--header", "Authorization: Bearer hush-hush", "--header", "X-A: hush-2"],
            in: place
        ).exits(0)
        #expect(place.file("out", is: StrictOrigin.body))
        origin.stop()
        let failed = try await downloader(
            arguments(origin.url + "?2", storage)
                + ["--header", "Authorization: Bearer hush-hush"], in: place
        ).exits(69)
        for text in [outcome.complaint, outcome.output, failed.complaint] {
            #expect(!text.contains("hush"), "\(text)")
        }
        let files = FileManager.default.enumerator(atPath: place.path("cache"))
        for case let name as String in try #require(files) {
            let bytes = FileManager.default.contents(atPath: place.path("cache/\(name)"))
            #expect(bytes?.firstRange(of: Data("hush".utf8)) == nil, "\(name)")
        }
    }

    @Test(arguments: [["Range: bytes=0-hush"], ["X: 1", "Content-Length: hush"]])
    func aHeaderOfTheCachesOwnIsRefused(headers: [String]) async throws {
        let options = headers.flatMap { ["--header", $0] }
        for command in [
            ["fetch", "http://127.0.0.1:9/v", "--cache", "cache"], ["proxy", "--cache", "cache"],
        ] {
            let outcome = try await downloader(command + options, in: place).exits(64)
            outcome.complains("--header")
            #expect(!outcome.complaint.contains("hush"), "\(outcome.complaint)")
            #expect(!place.has("cache"))
        }
    }

    private final class Heads: Sendable {
        let all = Mutex<[String]>([])
    }

    private static func answer(_ client: Int32, _ status: String, _ body: String) {
        let text =
            "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(body)"
        ListeningSocket.send(Array(text.utf8), to: client)
        close(client)
    }

    /// A library could not be fetched with a header; an image on another host must not get it.
    @Test(arguments: [[], ["--send-headers-to-other-hosts"]])
    func aLibrarySendsItsHeadersToTheHostOfItsFeed(options: [String]) async throws {
        let heads = Heads()
        let other = try ListeningSocket { client in
            let head = ListeningSocket.readHead(client) ?? ""
            heads.all.withLock { $0.append(head) }
            Self.answer(client, "200 OK", "image")
        }
        let foreign = "http://127.0.0.1:\(other.port)/image"
        let own = try ListeningSocket { client in
            let head = ListeningSocket.readHead(client) ?? ""
            let isRight = head.contains("Authorization: Bearer hush")
            let lines = head.components(separatedBy: "\r\n")
            let host = lines.first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? ""
            let images = ["http://\(host)/own", foreign]
            let videos = images.enumerated().map { index, image in
                """
                {"id": "6B29FC40-CA47-1067-B31D-00000000000\(index)", "title": "a", "duration": 1,
                 "url": "http://host/\(index).mp4", "thumbnail_url": "\(image)"}
                """
            }
            let feed = "{\"videos\": [\(videos.joined(separator: ","))]}"
            Self.answer(
                client, isRight ? "200 OK" : "403 No",
                !isRight ? "" : head.hasPrefix("GET /feed ") ? feed : "image")
        }
        let header = ["--header", "Authorization: Bearer hush"]
        func library(_ command: String, _ more: [String]) async throws -> Programs.Outcome {
            try await downloader(
                [
                    "library", command, "--feed", "http://127.0.0.1:\(own.port)/feed",
                    "--library", "films",
                ] + more, in: place)
        }
        #expect(try await library("refresh", []).exitCode == 69)
        for command in ["refresh", "list"] {
            let outcome = try await library(command, header + options).exits(0)
            #expect(!outcome.complaint.contains("this is the saved list"))
        }
        let sent = heads.all.withLock { $0.map { $0.contains("Authorization: Bearer hush") } }
        #expect(sent == [!options.isEmpty])
        for server in [own, other] { server.stop() }
    }

    /// `--header` of the proxy goes to the origin, whatever the player sends.
    @Test func theProxySendsItsHeaders() async throws {
        let origin = try StrictOrigin(wants: "referer: http://page/")
        try await ProxyProcess.run(in: place, ["--header", "Referer: http://page/"]) { proxy in
            try await curl(
                "-s", "-e", "http://other/", "-o", "out", try proxy.address(of: origin.url),
                in: place, exits: 0)
            #expect(place.file("out", is: StrictOrigin.body))
        }
        origin.stop()
    }
}
