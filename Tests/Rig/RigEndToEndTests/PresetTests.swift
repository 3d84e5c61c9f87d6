import Fixture
import Foundation
import Testing
import TestSupport

/// What a user of `downloader` sees of a cache, and the names of its thresholds (B11, C10).
@Suite struct PresetTests {
    /// A video that lacked 1,760 bytes of 26 MB was shown with 100.0 %.
    @Test func onlyACompleteVideoIsShownWithAHundredPercent() async throws {
        let length: Int64 = 6 << 20
        try await Stage.withVideo("file", 1, length: length) { stage, _, _, url in
            try await stage.proxy { launch in
                _ = try await launch.player.take(url, to: length - 1760)
                try await launch.allRequestsEnded()
            }
            let partial = try await stage.downloader("status").output
            #expect(partial.contains(", 99.9 %, "), "\(partial)")
            #expect(
                partial.contains("  state   missing 1760 bytes, the first at \(length - 1760)\n"))
            #expect(try await stage.downloader("fetch", url, "--quiet").exitCode == 0)
            let whole = try await stage.downloader("status").output
            #expect(whole.contains(", 100.0 %, "), "\(whole)")
            #expect(whole.contains("  state   complete\n"))
        }
    }

    /// Two players of two videos, killed at the same time, lose at most their own thresholds.
    ///
    /// The proxy had one threshold for all videos (S5).
    @Test func twoVideosOfOneProxyHaveTwoThresholds() async throws {
        // Three saves of 1 MB, and more than half of one.
        let amount: Int64 = 4_089_446
        let stage = try Stage("file")
        let videos = try (1...2).map { try scenarioVideo($0, length: 6 << 20) }
        let urls = try await OriginProcess.run(
            videos, ["--origin-fault", "silent:\(amount)"]
        ) { origin in
            let names = ["conservative", "aggressive"]
            try await stage.proxy(endingWith: SIGKILL) { launch in
                for (name, url) in zip(names, origin.urls) {
                    let address = try launch.proxy.address(of: url)
                        .replacingOccurrences(of: "?url=", with: "?threshold=\(name)&url=")
                    // It ends with the proxy.
                    _ = Task {
                        try await Programs.run(
                            "/usr/bin/env", ["curl", "-sf", "-o", "played-\(name)", address],
                            in: stage.place.url)
                    }
                }
                for url in origin.urls { try await launch.received(amount, of: url) }
            }
            return origin.urls
        }
        let lost = urls.map { amount - stage.savedSoFar(of: $0) }
        #expect(lost[0] <= 256 << 10)
        #expect(lost[1] <= 1 << 20 && lost[1] > 512 << 10)
    }

    @Test(
        arguments: [
            ("conservative", 256 << 10), ("default", 512 << 10), ("aggressive", 1 << 20),
            ("disabled", 3 << 20),
        ] as [(String, Int64)])
    func aPresetIsItsThreshold(name: String, threshold: Int64) async throws {
        try await Stage.withVideo("file", 2, length: 3 << 20) { stage, video, _, url in
            let fetch = try await stage.downloader("fetch", url, "--threshold", name, "--verbose")
            let sizes = fetch.complaint.matches(of: #/ kind=\w+ .* size=(\d+) .*\] commit/#)
                .compactMap { Int64($0.1) }
            let largest = try #require(sizes.max())
            #expect(sizes.reduce(0, +) == video.length)
            #expect(largest <= threshold && largest > threshold * 15 / 16)
        }
    }
}
