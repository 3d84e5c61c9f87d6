import Foundation
import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// What a proxy says of its tunnel is the proxy's own, and never the origin's.
///
/// Its 200 was taken for the head of the video, since libcurl hands both over: the origin's
/// validators were lost, a 404 page was played as the video, and a 503 was not tried again.
@Suite(.serialized) struct TunnelTests {
    private static let bytes = videoBytes(300_000)

    private func transport(_ proxy: ConnectProxy) -> CurlTransport {
        var options = CurlTransport.Options(
            connectTimeout: .seconds(5), progressTimeout: .seconds(5))
        options.tunnel = proxy.address
        return CurlTransport(options: options)
    }

    private func download(
        _ url: String, by proxy: ConnectProxy, into cache: TemporaryCache, retries: Int = 0
    ) -> Download {
        Download(url: url, cache: cache.cache, transport: transport(proxy), retry: .atOnce(retries))
    }

    static let heads: [[String]] = [
        ["HTTP/1.1 200 Connection established"], ["HTTP/1.0 200 OK"], ["HTTP/1.1 299 Why not"],
        ["HTTP/1.1 200 OK\r\nETag: \"proxy\"\r\nContent-Type: text/html"],
        ["HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nAccept-Ranges: none"],
        ["HTTP/1.1 200 OK\r\nContent-Range: bytes 0-1/2\r\nRetry-After: 100"],
        ["HTTP/1.1 200 OK\r\nLocation: http://127.0.0.1:9/\r\nSet-Cookie: a=b"],
        ["HTTP/1.1 200 OK\r\nVia: 1.1 caf\u{e9}"],
    ]

    /// Both halves of a resumed video come through tunnels, in both storages.
    @Test(arguments: heads, StorageLayout.allCases)
    func theOriginsHeadCounts(heads: [String], layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let origin = try TestOrigin.video(Self.bytes)
        let proxy = try ConnectProxy(.opens(heads))
        try cache.seed(origin.url, Self.bytes, [0..<100_000])
        #expect(try download(origin.url, by: proxy, into: cache).run().isComplete)
        #expect(try cache.bytes(of: origin.url, count: 300_000) == Self.bytes)
        #expect(origin.ranges == ["bytes=100000-"])
        let facts = try #require(try cache.store.video(url: origin.url)).information
        #expect(facts.etag == "\"v1\"" && facts.mimeType == "video/mp4")
        #expect(proxy.tunnels(to: origin.port) > 0)
    }

    @Test(arguments: heads) func aPlayerSeesTheOriginsHead(heads: [String]) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.bytes)
        let proxy = try ConnectProxy(.opens(heads))
        let loader = cache.loader(transport: transport(proxy))
        let reader = loader.reader(of: origin.url, range: nil)
        #expect(try reader.information().etag == "\"v1\"")
        #expect(try reader.all() == Self.bytes)
        loader.close()
    }

    @Test(arguments: [404, 410, 451]) func aPageOfTheOriginIsNoVideo(status: Int) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin { _ in
            Reply(status: status, headers: ["Content-Type": "text/html"], body: Array("no".utf8))
        }
        let proxy = try ConnectProxy()
        #expect(throws: DownloadError.status(url: origin.url, code: status)) {
            try download(origin.url, by: proxy, into: cache).run()
        }
        let loader = cache.loader(transport: transport(proxy))
        #expect(throws: DownloadError.status(url: origin.url, code: status)) {
            try loader.reader(of: origin.url, range: nil).all()
        }
        loader.close()
        #expect(try cache.cache.cachedBytes(of: origin.url) == 0)
    }

    /// A proxy that makes no tunnel says so itself, and with a page of its own.
    @Test(arguments: [
        ("403 Forbidden", false, "no_proxy"), ("407 Who are you", false, "user name"),
        ("302 There\r\nLocation: http://127.0.0.1:9/login", false, "no_proxy"),
        ("502 Bad Gateway", true, "reach the origin"), ("503 Wait", true, "reach the origin"),
    ])
    func aProxyThatRefusesIsNamed(status: String, mayPass: Bool, remedy: String) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.bytes)
        let page = "log in first"
        let proxy = try ConnectProxy(
            .refuses(
                "HTTP/1.1 \(status)\r\nContent-Type: video/mp4\r\nETag: \"page\"\r\n"
                    + "Content-Length: \(page.utf8.count)\r\n\r\n\(page)"))
        try cache.seed(origin.url, Self.bytes, [0..<100_000])
        let error = #expect(throws: TransportError.self) {
            try download(origin.url, by: proxy, into: cache, retries: 2).run()
        }
        let code = try #require(Int(status.prefix(3)))
        #expect(error == .tunnelRefused(url: origin.url, status: code))
        #expect(error.map { "\($0)".contains(remedy) } == true, "\(String(describing: error))")
        #expect(proxy.requests.count == (mayPass ? 3 : 1))
        #expect(origin.requests.isEmpty)
        #expect(try cache.cache.cachedBytes(of: origin.url) == 100_000)
    }

    /// A proxy that answers nothing, or nonsense, is a failure of the network.
    @Test(arguments: ["", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200"])
    func aProxyThatSpeaksNoHTTPIsAnError(answer: String) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin.video(Self.bytes)
        let proxy = try ConnectProxy(.refuses(answer))
        #expect(throws: TransportError.self) {
            try download(origin.url, by: proxy, into: cache).run()
        }
        #expect(try cache.cache.cachedBytes(of: origin.url) == 0)
    }
}
