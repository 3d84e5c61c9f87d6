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

    /// A folder that does not exist yet.
    private static func place() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("SnippetTests-\(UUID())").path
    }

    @Test func aDownloadFillsTheCache() async throws {
        try await ProxyFixture.run { fixture in
            let (url, folder) = (fixture.mount.url, Self.place())
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let summary = try await offPool {
                let cache = try VideoCache(folder: folder)
                let download = Download(
                    url: url, cache: cache, transport: transport, schedule: SavePolicy.conservative)
                let summary = try download.run()
                try cache.close()
                return summary
            }
            #expect(summary.isComplete && summary.cachedBytes == fixture.video.length)
        }
    }

    @Test func aPlayerReadsWhileItIsFetched() async throws {
        try await ProxyFixture.run { fixture in
            let (url, cache) = (fixture.mount.url, fixture.cache)
            let played = try await offPool {
                var played: [UInt8] = []
                func play(_ bytes: [UInt8]) { played += bytes }
                let loader = VideoLoader(cache: cache, transport: transport)
                let reader = loader.reader(of: url, range: nil)
                while let bytes = try reader.next() { play(bytes) }
                loader.close()
                return played
            }
            #expect(played == (try fixture.bytes(0..<fixture.video.length)))
        }
    }

    @Test func aPlayerPlaysThroughTheProxy() async throws {
        try await ProxyFixture.run { fixture in
            let (url, cache) = (fixture.mount.url, fixture.cache)
            let length = Int(fixture.video.length)
            func play(_ address: String) async throws {
                let address = try #require(URL(string: address))
                let played = try await offPool { try Data(contentsOf: address) }
                #expect(played.count == length)
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
