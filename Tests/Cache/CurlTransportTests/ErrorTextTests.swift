import Fixture
import FixtureOrigin
import Foundation
import Testing
import TestSupport
import VideoCache

@testable import CurlTransport

/// "Check the address" was said of a refusal, of a busy origin, of a proxy and of a blank alike.
@Suite("An error names its cause, and a remedy that is true", .serialized) struct ErrorTextTests {
    let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    private func text(_ reply: Reply) throws -> String {
        let origin = try TestOrigin { _ in reply }
        let error = #expect(throws: (any Error).self) { try cache.download(origin.url).run() }
        return error.map { "\($0)" } ?? ""
    }

    @Test(
        "of a status",
        arguments: [
            (401, "who asks"), (403, "the origin refuses"), (404, "check the address"),
            (407, "the proxy on the way"), (410, "check the address"), (429, "fewer requests"),
            (451, "legal reasons"), (500, "failure of its own"), (502, "failure of its own"),
            (503, "failure of its own"), (418, "also to a plain request"),
        ])
    func status(code: Int, word: String) throws {
        let text = try text(Reply(status: code))
        #expect(text.contains("answered \(code)") && text.contains(word) && text.contains("; "))
        #expect(text.contains("check the address") == [404, 410, 418].contains(code))
    }

    @Test("of a busy origin: how long to wait", arguments: [(503, "120", 120), (429, "31", 31)])
    func busy(code: Int, after: String, seconds: Int) throws {
        let text = try text(Reply(status: code, headers: ["Retry-After": after]))
        #expect(text.contains("\(code)") && text.contains("\(seconds) s"))
        let dated = try self.text(
            Reply(
                status: code,
                headers: [
                    "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                    "Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT",
                ]))
        #expect(dated.contains("120 s"))
    }

    @Test(
        "of what does not speak HTTP",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n", "220 mail ESMTP\r\n", "\u{15}\u{3}\u{1}\0\u{2}\u{2}P",
        ])
    func notHTTP(greeting: String) throws {
        let origin = try TestOrigin { _ in Reply(greeting: greeting) }
        #expect(throws: TransportError.notHTTP(url: origin.url)) {
            try cache.download(origin.url, retry: .atOnce(3)).run()
        }
        #expect(origin.requests.count == 1, "it is not asked again")
    }

    @Test("of what does not speak HTTP, to which a redirect leads") func notHTTPElsewhere() throws {
        let mail = try TestOrigin { _ in Reply(greeting: "220 mail ESMTP\r\n") }
        let location = mail.url
        let origin = try TestOrigin { _ in Reply(status: 302, headers: ["Location": location]) }
        #expect(throws: TransportError.notHTTP(url: origin.url)) {
            try cache.download(origin.url).run()
        }
        withExtendedLifetime(mail) {}
    }

    @Test("of a redirect where none is followed") func redirectRefused() throws {
        let origin = try TestOrigin { _ in Reply(status: 302, headers: ["Location": "/w.mp4"]) }
        let loader = cache.loader(transport: Way.direct.transport(.init(maximumRedirects: 0)))
        let error = #expect(throws: TransportError.redirectRefused(url: origin.url)) {
            try loader.information(of: origin.url)
        }
        #expect(error?.description.contains("--allow-host") == true)
        loader.close()
    }

    @Test(
        "of a connection that a proxy of the environment may have failed",
        arguments: [
            ("http://h/v", ["http_proxy": "p"], "http_proxy"),
            ("https://h/v", ["http_proxy": "p", "HTTPS_PROXY": "q"], "HTTPS_PROXY"),
            ("HTTP://h/v", ["all_proxy": "p", "http_proxy": ""], "all_proxy"),
            ("http://h/v", ["HTTP_PROXY": "p", "https_proxy": "p"], nil), ("http://h/v", [:], nil),
        ] as [(String, [String: String], String?)])
    func environmentProxy(address: String, environment: [String: String], name: String?) {
        let hint = EnvironmentProxy.hint(for: address, in: environment)
        #expect(hint.isEmpty == (name == nil))
        #expect(name.map { hint.hasPrefix("; \($0) ") } ?? true)
    }

    @Test("of a port that does not speak https") func notHTTPS() async throws {
        // The server of the rig and the proxy: it answers other bytes at once.
        let origin = FixtureOrigin()
        try await origin.start()
        let mount = origin.mount(
            Resource(source: try FixtureVideo(seed: 1, length: 20_000), etag: nil), at: "/v.mp4")
        let url = mount.url.replacing("http:", with: "https:")
        let error = try await offPool { [cache] in
            #expect(throws: TransportError.self) { try cache.download(url).run() }
        }
        #expect(error?.description.contains("does not speak https") == true, "\(error as Any)")
        await origin.stop()
    }

    @Test("of an address with a blank", arguments: ["my video.mp4", "a\tb"])
    func blank(name: String) throws {
        let url = "http://127.0.0.1:9/\(name)"
        let error = #expect(throws: TransportError.unsupportedAddress(url: url)) {
            try cache.download(url).run()
        }
        #expect(error?.description.contains("%20") == true)
    }

    @Test("of a length that was never told: one line, even if nothing else is said")
    func unannounced() throws {
        let origin = try TestOrigin { _ in Reply(body: videoBytes(1000), endsWithConnection: true) }
        let fetch = ["fetch", origin.url, "--cache", cache.folder + "/cli", "--quiet"]
        let first = try BuiltDownloader.run(fetch)
        #expect(first.exitCode == 0)
        #expect(first.complaint.split(separator: "\n").count == 1)
        #expect(first.complaint.contains("never told its length"))
        let second = try BuiltDownloader.run(fetch)
        #expect(second.exitCode == 0 && second.complaint.isEmpty)
    }

    @Test("of what is not believed: exit code 69, and what came") func unbelieved() throws {
        let origin = try TestOrigin { _ in
            Reply(headers: ["Content-Type": "text/html"], body: Array("<p>".utf8))
        }
        let outcome = try BuiltDownloader.run(
            ["fetch", origin.url, "--cache", cache.folder + "/cli", "--quiet"])
        #expect(outcome.exitCode == 69)
        #expect(outcome.complaint.contains("text/html"))
        #expect(outcome.complaint.split(separator: "\n").count == 1)
    }
}
