import Fixture
import Foundation
import RigModel
import TestSupport
import Testing
import Witness

extension ScenarioTests {
    /// The kill comes after exactly this many bytes (B1, B3), and all but a threshold is saved.
    ///
    /// That plays without the network, and the next launch resumes from the first missing byte.
    @Test(
        arguments: Nightly.pairs(
            [1 << 20, (5 << 20) + 300_000, 10 << 20] as [Int64], Stage.storages))
    func t2AKillLosesAtMostAThreshold(amount: Int64, storage: String) async throws {
        try await Stage.withVideo(
            storage, 2, length: 11 << 20, faults: [.silent(after: amount, times: 1)]
        ) { stage, video, origin, url in
            let end = try await stage.proxy(endingWith: SIGKILL) { launch in
                let seen = try await launch.player.take(url, count: amount)
                try seen.expect(video, from: 0, count: amount)
                try await launch.received(amount, of: url)
            }
            #expect(end.outcome.signal == SIGKILL)
            #expect(end.witness.received(of: url).count == amount)
            let saved = try stage.expectAtMostAThresholdLost(at: end, of: url, as: video)
            #expect(saved.count >= amount - Stage.threshold)
            try await stage.expectGoesOn(after: saved, of: url, as: video)
            try await stage.expectOffline(
                ByteRanges([0..<video.length]), of: url, as: video, origin)
        }
    }

    /// Killed by a crash or for its memory, while bytes flow: the same as T2.
    @Test(arguments: Nightly.pairs([SIGKILL, SIGABRT, SIGSEGV], Stage.storages))
    func t9ACrashIsLikeAKill(signal: Int32, storage: String) async throws {
        try await Stage.withVideo(
            storage, 9, length: 6 << 20, bytesPerSecond: 24e6
        ) { stage, video, _, url in
            let end = try await stage.proxy(endingWith: nil) { launch in
                async let seen = launch.player.take(url)
                try await launch.received(3 << 20, of: url)
                launch.proxy.send(signal)
                try await seen.expectPrefix(of: video)
            }
            #expect(end.outcome.signal == signal)
            let saved = try stage.expectAtMostAThresholdLost(at: end, of: url, as: video)
            #expect(saved.count > 2 << 20)
            try await stage.expectOffline(saved, of: url, as: video, nil)
            try await stage.expectGoesOn(after: saved, of: url, as: video)
        }
    }

    /// Killed while a save runs: that chunk may be lost, and nothing else (B5).
    @Test(arguments: Nightly.pairs([1, 3, 20] as [UInt64], Stage.storages))
    func edge3AKillDuringASaveLosesThatChunkAtMost(save: UInt64, storage: String) async throws {
        try await Stage.withVideo(storage, 3, length: 16 << 20) { stage, video, _, url in
            let end = try await stage.proxy(endingWith: nil) { launch in
                launch.witness.hold(.committing, entry: save)
                async let seen = launch.player.take(url)
                try await eventually("the save is held") { launch.witness.waiting > 0 }
                launch.proxy.send(SIGKILL)
                try await seen.expectPrefix(of: video)
            }
            #expect(end.outcome.signal == SIGKILL && end.witness.phase == .committing)
            let saved = try stage.expectAtMostAThresholdLost(at: end, of: url, as: video)
            #expect(saved.count >= Int64(save - 1) * (Stage.threshold - Stage.threshold / 16))
            try await stage.expectGoesOn(after: saved, of: url, as: video)
        }
    }

    /// Several interruptions in a row, each of which costs at most a threshold.
    ///
    /// The proxy is stopped and continued, asked to end, killed during playback, killed right after
    /// its launch, and crashed. None takes what was there before.
    @Test(arguments: Stage.rows)
    func t4EachOfSeveralInterruptionsCostsAtMostAThreshold(storage: String) async throws {
        // So long that four lives receive all of it only if they are ended four seconds late.
        try await Stage.withVideo(
            storage, 4, length: 48 << 20, bytesPerSecond: 12e6
        ) { stage, video, _, url in
            var before = ByteRanges()
            for (signal, isAtOnce) in [
                (SIGKILL, false), (SIGTERM, false), (SIGKILL, true), (SIGABRT, false),
                (SIGKILL, true), (SIGKILL, false),
            ] {
                let start = before.count
                let end = try await stage.proxy(endingWith: nil) { launch in
                    if isAtOnce { return launch.proxy.send(signal) }
                    async let seen = launch.player.take(url)
                    try await launch.received(800_000, of: url)
                    // Stopped, as in the background, and continued.
                    launch.proxy.send(SIGSTOP)
                    launch.proxy.send(SIGCONT)
                    try await launch.received(1_200_000, of: url)
                    launch.proxy.send(signal)
                    try await seen.expectPrefix(of: video)
                }
                let saved = try stage.expectAtMostAThresholdLost(
                    at: end, of: url, as: video, before: before)
                if signal == SIGTERM {
                    #expect(saved == before.union(end.witness.received(of: url)))
                }
                #expect(isAtOnce ? saved == before : saved.count > start)
                before = saved
            }
            try await stage.expectGoesOn(after: before, of: url, as: video)
            // After all that the video is complete.
            try stage.state().expect([0..<video.length], of: url, as: video)
        }
    }
}

extension Stage {
    /// Expects that a death took at most one threshold per active request, and returns what is
    /// there.
    ///
    /// Nothing may be missing that was acknowledged or there before (B1, B5, B6).
    func expectAtMostAThresholdLost(
        at end: End, of url: String, as video: MemoryVideo, before: ByteRanges = ByteRanges(),
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ByteRanges {
        let state = try state()
        try state.expectSound(url, as: video, sourceLocation: sourceLocation)
        let recovered = try state.recovered(of: url, as: video)
        let received = end.witness.received(of: url)
        let lost = received.union(before).subtracting(recovered)
        let bound = Stage.threshold * max(1, end.witness.activeRequests(of: url))
        #expect(lost.count <= bound, sourceLocation: sourceLocation)
        #expect(
            recovered.contains(end.witness.acknowledged(of: url)), sourceLocation: sourceLocation)
        #expect(recovered.contains(before), sourceLocation: sourceLocation)
        #expect(received.union(before).contains(recovered), sourceLocation: sourceLocation)
        return recovered
    }

    /// Expects that the next launch requests only what is missing, and completes the video (C8).
    func expectGoesOn(
        after saved: ByteRanges, of url: String, as video: MemoryVideo,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let end = try await proxy { launch in
            try await launch.player.take(url).expect(
                video, from: 0, count: video.length, sourceLocation: sourceLocation)
        }
        #expect(end.outcome.exitCode == 143, sourceLocation: sourceLocation)
        #expect(
            end.witness.received(of: url)
                == ByteRanges([0..<video.length]).subtracting(saved), sourceLocation: sourceLocation
        )
        try state().expect([0..<video.length], of: url, as: video, sourceLocation: sourceLocation)
    }

    /// Expects that saved bytes play, and that nothing is requested from the network for them (B7,
    /// C9).
    ///
    /// An origin is stopped first; nil stands for one that keeps running, but must not be asked.
    func expectOffline(
        _ saved: ByteRanges, of url: String, as video: MemoryVideo, _ origin: ScenarioOrigin?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await origin?.drop()
        let end = try await proxy { launch in
            for range in saved.ranges {
                let seen = try await launch.player.take(
                    url, from: range.lowerBound, to: range.upperBound)
                try seen.expect(
                    video, from: range.lowerBound, count: Int64(range.count),
                    sourceLocation: sourceLocation)
            }
        }
        #expect(end.witness.requestsBegun == 0, sourceLocation: sourceLocation)
    }
}
