import Fixture
import Foundation
import RigModel
import Testing
import TestSupport
import Witness

extension ScenarioTests {
    /// A hundred videos play through a cache with room for a fifth of them, and the proxy is killed
    /// often.
    ///
    /// At every launch the limit holds, and no orphaned bytes are left.
    @Test(arguments: Stage.storages)
    func edge5TheLimitHoldsUnderKills(storage: String) async throws {
        let stage = try Stage(storage)
        let limit: Int64 = 3 << 20
        let videos = try (0..<100).map {
            try scenarioVideo(100 + $0, length: 150_000 + 7 * Int64($0))
        }
        try await ScenarioOrigin.run(videos) { origin in
            for round in 0..<Nightly.rounds(3, nightly: 6) {
                let end = try await stage.proxy(["--capacity", "3MB"], endingWith: nil) { launch in
                    let atLaunch = ScenarioState.savedBytes(in: stage.place.path("cache"))
                    #expect(try #require(atLaunch) <= limit)
                    async let first: Void = launch.player.play(videos, origin.urls, from: round)
                    async let second: Void = launch.player.play(
                        videos, origin.urls, from: round + 50)
                    try await eventually("enough is saved") {
                        launch.witness.commits >= 20 + 9 * UInt64(round)
                    }
                    launch.proxy.send(SIGKILL)
                    try await first
                    try await second
                }
                #expect(end.outcome.signal == SIGKILL)
                let state = try stage.state()
                #expect(state.totalBytes <= limit)
                #expect(state.totalBytes > limit / 2)
                for (url, video) in zip(origin.urls, videos) {
                    try state.expectSound(url, as: video)
                }
                // The next launch has cleaned up before it is told to end.
                try await stage.proxy(["--capacity", "3MB"]) { _ in }
                let tidy = try stage.state()
                #expect(tidy.orphans == [])
                #expect(tidy.totalBytes <= limit)
            }
        }
    }

    /// A video larger than the whole cache plays, and what is kept is within the limit.
    @Test(arguments: Stage.file)
    func c6AVideoLargerThanTheCachePlays(storage: String) async throws {
        try await Stage.withVideo(storage, 15, length: 5 << 20) { stage, video, _, url in
            try await stage.proxy(["--capacity", "2MB"]) { launch in
                for _ in 0..<2 {
                    try await launch.player.take(url).expect(video, from: 0, count: video.length)
                }
            }
            let state = try stage.state()
            try state.expectSound(url, as: video)
            #expect((1...2 << 20).contains(state.totalBytes))
            #expect(state.orphans == [])
        }
    }

    /// The disk becomes full during playback, which continues to the end.
    @Test(
        .enabled(if: geteuid() == 0, "mounting a small disk needs root"), arguments: Stage.rows)
    func c6OnAFullDiskPlayingGoesOn(storage: String) async throws {
        let stage = try Stage(storage)
        let video = try scenarioVideo(16, length: 8 << 20)
        try await stage.place.withDisk("size=3m", at: "cache") {
            try await ScenarioOrigin.run([video]) { origin in
                let url = origin.urls[0]
                try await stage.proxy { launch in
                    for _ in 0..<2 {
                        try await launch.player.take(url)
                            .expect(video, from: 0, count: video.length)
                    }
                }
                let state = try stage.state()
                try state.expectSound(url, as: video)
                #expect(state.totalBytes < 3 << 20)
            }
        }
    }
}

extension ScenarioPlayer {
    /// Plays one video after the other until the proxy is gone.
    fileprivate func play(_ videos: [MemoryVideo], _ urls: [String], from first: Int) async throws {
        for step in 0..<videos.count * 100 {
            let index = (first + step) % videos.count
            guard let seen = try? await take(urls[index]) else { return }
            try seen.expectPrefix(of: videos[index])
            if seen.isCut { return }
        }
    }
}
