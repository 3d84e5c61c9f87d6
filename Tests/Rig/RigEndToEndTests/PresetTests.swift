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
