import Fixture
import Foundation
import RigModel
import Testing
import TestSupport
import Witness

/// What the documents' own logs show, with their numbers, and killed in the end.
extension ScenarioTests {
    /// Longer than what is played of them; the documents' video has 158,008,374 bytes.
    private static let length: Int64 = 28 << 20
    private static let first = Result { try scenarioVideo(21, length: length) }
    private static let second = Result { try scenarioVideo(22, length: length) }

    /// 46 chunks of 26,143,685 bytes are one range of 24.93 MB, all of it found again after a kill.
    ///
    /// Each is a request of its own, because this cache's saves are never as large as the first ones
    /// of the documents: 531.82 and 522.83 KB with a threshold of 512 KB.
    @Test(arguments: Stage.file)
    func trace46Chunks(storage: String) async throws {
        let stage = try Stage(storage)
        let video = try Self.first.get()
        let end: Int64 = 26_143_685
        let known: [Int64] = [0, 13_194, 65_536, 184_433, 729_017]
        let offsets = known + (0..<41).map { 1_264_395 + $0 * 606_800 }
        let rest = end - (offsets.last ?? 0)
        try await ScenarioOrigin.run([video], faults: [.silent(after: rest)]) { origin in
            let url = origin.urls[0]
            let life = try await stage.proxy(["--threshold", "1MB"], endingWith: SIGKILL) {
                try await $0.play(url, of: video, chunksAt: offsets, upTo: end)
            }
            #expect(life.outcome.signal == SIGKILL)
            let state = try stage.state()
            try state.expect([0..<end], of: url, as: video)
            #expect(state.chunks[url, default: []].map(\.range.lowerBound) == offsets)
            try await stage.expectFoundAgain([(url, video, end, 46)], origin)
        }
    }

    /// Played 1, 2, 1 and killed: 24.93 + 24.60 = 49.53 MB are found again, one range each.
    @Test(arguments: Stage.rows)
    func trace121(storage: String) async throws {
        let stage = try Stage(storage)
        let (one, two) = (try Self.first.get(), try Self.second.get())
        let ends: (Int64, Int64) = (26_143_685, 25_794_970)
        let seek: Int64 = 11_132_328
        try await ScenarioOrigin.run([one], faults: [.silent(after: ends.0 - seek)]) { first in
            try await ScenarioOrigin.run([two], faults: [.silent(after: ends.1)]) { second in
                let urls = (first.urls[0], second.urls[0])
                try await stage.proxy(endingWith: SIGKILL) { launch in
                    for (start, end) in [(0, 13_201), (13_201, 65_536), (65_536, 195_222)] {
                        _ = try await launch.player.take(urls.0, from: Int64(start), to: Int64(end))
                    }
                    _ = try await launch.player.take(urls.0, from: 195_222, to: seek)
                    try await launch.play(urls.1, of: two, chunksAt: [0], upTo: ends.1)
                    try await launch.play(urls.0, of: one, chunksAt: [seek], upTo: ends.0)
                }
                let state = try stage.state()
                try state.expect([0..<ends.0], of: urls.0, as: one)
                try state.expect([0..<ends.1], of: urls.1, as: two)
                #expect(state.totalBytes == ends.0 + ends.1)
                let counts = (state.chunks[urls.0, default: []], state.chunks[urls.1, default: []])
                try await second.drop()
                try await stage.expectFoundAgain(
                    [(urls.0, one, ends.0, counts.0.count), (urls.1, two, ends.1, counts.1.count)],
                    first)
            }
        }
    }

    /// The switches save 10.43, 25.41 and 5.44 MB from where the player had sought to, and the kill
    /// that follows takes nothing (T1).
    @Test(
        arguments: Nightly.pairs(
            [(195_222, 10_937_106), (198_016, 26_644_316), (187_238, 5_704_254)]
                as [(Int64, Int64)], Stage.storages))
    func traceSwitches(seen: (Int64, Int64), storage: String) async throws {
        let stage = try Stage(storage)
        let video = try Self.first.get()
        let other = try scenarioVideo(23, length: 1 << 20)
        let (start, count) = seen
        let end = start + count
        try await ScenarioOrigin.run(
            [video, other], faults: [.silent(after: count)]
        ) { origin in
            let url = origin.urls[0]
            try await stage.proxy(endingWith: SIGKILL) { launch in
                try await launch.play(url, of: video, chunksAt: [0, 65_536, start], upTo: end)
                let next = try await launch.player.take(origin.urls[1])
                try next.expect(other, from: 0, count: other.length)
                try await launch.allRequestsEnded()
            }
            let state = try stage.state()
            try state.expect([0..<end], of: url, as: video)
            let chunks = state.chunks[url, default: []].count
            try await stage.expectFoundAgain(
                [
                    (url, video, end, chunks),
                    (origin.urls[1], other, other.length, state.chunks[origin.urls[1]]?.count ?? 0),
                ], origin)
        }
    }
}

extension Stage.Launch {
    /// Requests a video in pieces, the last one without an end, and leaves it at a position.
    ///
    /// Its origin falls silent at the end of the last piece.
    fileprivate func play(
        _ url: String, of video: MemoryVideo, chunksAt offsets: [Int64], upTo end: Int64
    ) async throws {
        for (start, next) in zip(offsets, offsets.dropFirst()) {
            let seen = try await player.take(url, from: start, to: next)
            try seen.expect(video, from: start, count: next - start)
            // A commit of its own for each.
            try await allRequestsEnded()
        }
        let start = offsets.last ?? 0
        let seen = try await player.take(url, from: start, count: end - start)
        try seen.expect(video, from: start, count: end - start)
        try await allRequestsEnded()
    }
}

extension Stage {
    /// Expects that a launch offline finds every chunk and serves every byte.
    fileprivate func expectFoundAgain(
        _ videos: [(url: String, video: MemoryVideo, end: Int64, chunks: Int)],
        _ origin: ScenarioOrigin
    ) async throws {
        try await origin.drop()
        let listed = try await downloader("status", "--json")
        let status = try JSONDecoder().decode(Status.self, from: Data(listed.output.utf8))
        for video in videos {
            let found = try #require(status.videos.first { $0.url == video.url })
            #expect(found.chunks == video.chunks && found.cached_bytes == video.end)
            try await expectOffline(
                ByteRanges([0..<video.end]), of: video.url, as: video.video, nil)
        }
    }

    /// What `downloader status --json` says.
    private struct Status: Decodable {
        struct Video: Decodable {
            let url: String
            let chunks: Int
            let cached_bytes: Int64
        }

        let videos: [Video]
    }
}
