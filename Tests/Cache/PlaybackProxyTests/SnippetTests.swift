import CurlTransport
import Fixture
import FixtureOrigin
import Foundation
import PlaybackProxy
import TestSupport
import Testing
import VideoCache

/// The snippets of the documentation of `VideoCache` and `PlaybackProxy`, compiled and run.
///
/// `RepositoryTests` checks that these are the snippets of the catalogs, line by line.
@Suite struct SnippetTests {
    private let transport = CurlTransport()

    private static func place() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("SnippetTests-\(UUID())").path
    }

    @Test func aFetchFillsTheCache() async throws {
        try await ProxyFixture.run { fixture in
            let url = try #require(URL(string: fixture.mount.url))
            let folder = Self.place()
            let file = URL(fileURLWithPath: folder + "/video.mp4")
            defer { try? FileManager.default.removeItem(atPath: folder) }
            var shown: [Double?] = []
            func show(_ ranges: ByteRangeSet, _ fraction: Double?, _ bytesPerSecond: Double) {
                shown.append(fraction)
            }
            let cache = try VideoCache(folder: folder)
            for try await progress in cache.fetch(url, by: transport) {
                show(progress.ranges, progress.fraction, progress.bytesPerSecond)
            }
            try cache.export(url, to: file)
            try cache.close()
            #expect(shown.last == 1)
            #expect(try Data(contentsOf: file).count == Int(fixture.video.length))
        }
    }

    @Test func aDownloadFillsTheCache() async throws {
        try await ProxyFixture.run { fixture in
            let (url, cache) = (fixture.mount.url, fixture.cache)
            let summary = try await offPool {
                let download = Download(
                    url: url, cache: cache, transport: transport, schedule: SavePolicy.conservative)
                let summary = try download.run()
                return summary
            }
            #expect(summary.isComplete && summary.cachedBytes == fixture.video.length)
        }
    }

    @Test func aPlayerReadsWhileItIsFetched() async throws {
        try await ProxyFixture.run { fixture in
            let (cache, url) = (fixture.cache, try #require(URL(string: fixture.mount.url)))
            var played: [UInt8] = []
            func play(_ bytes: [UInt8]) { played += bytes }
            let loader = VideoLoader(cache: cache, transport: transport)
            for try await bytes in loader.bytes(of: url) { play(bytes) }
            loader.close()
            #expect(played == (try fixture.bytes(0..<fixture.video.length)))
        }
    }

    @Test func aPlayerPlaysThroughTheProxy() async throws {
        try await ProxyFixture.run { fixture in
            let (url, cache) = (fixture.mount.url, fixture.cache)
            let length = Int(fixture.video.length)
            func play(_ address: String) async throws {
                let path = String(address.dropFirst("http://127.0.0.1:".count).drop { $0 != "/" })
                let port = UInt16(try #require(URL(string: address)?.port))
                let played = try await offPool {
                    try SocketClient(port: port).exchange("GET", path, [])
                }
                #expect(played.body.count == length)
            }
            let loader = VideoLoader(cache: cache, transport: transport)
            let proxy = PlaybackProxy(cache: cache, loader: loader)
            try await proxy.start()
            try await play(proxy.address(of: url))
            await proxy.stop()
            loader.close()
        }
    }
}
