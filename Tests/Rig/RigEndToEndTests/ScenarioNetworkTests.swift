import Fixture
import FixtureOrigin
import Foundation
import GRDB
import RigModel
import Testing
import TestSupport
import Witness

extension ScenarioTests {
    /// The network fails in the middle: every received byte is played and saved.
    ///
    /// Cached bytes still play, and the rest fails with a reason.
    @Test(arguments: Stage.rows)
    func t3WhatCameBeforeTheNetworkDroppedPlaysOn(storage: String) async throws {
        let amount: Int64 = 1_300_000
        try await Stage.withVideo(
            storage, 3, length: 4 << 20, faults: [.silent(after: amount)]
        ) { stage, video, origin, url in
            try await stage.proxy(endingWith: SIGKILL) { launch in
                async let seen = launch.player.take(url)
                try await launch.received(amount, of: url)
                try await origin.drop()
                let answer = try await seen
                #expect(answer.isCut)
                try answer.expect(video, from: 0, count: amount)
                try await launch.allRequestsEnded()
                let again = try await launch.player.take(url, to: amount)
                try again.expect(video, from: 0, count: amount)
                let rest = try await launch.player.take(url, from: amount)
                #expect(rest.status == 502)
                #expect(rest.text.contains("cannot connect"), "\(rest.text)")
            }
            try stage.state().expect([0..<amount], of: url, as: video)
        }
    }

    /// A player probes, reads the head and the tail, seeks, cancels and restarts, and repeats
    /// requests.
    ///
    /// Every byte is the video's, and everything received is stored afterwards.
    @Test(arguments: Stage.file)
    func t8WhatAPlayerDoesIsServedRightly(storage: String) async throws {
        let length: Int64 = 6 << 20
        try await Stage.withVideo(
            storage, 8, length: length, bytesPerSecond: 48e6
        ) { stage, video, origin, url in
            try await stage.proxy { launch in
                for (start, end, count) in [
                    (0, 2, 2), (0, 65536, 65536), (length - 262_144, length, 262_144),
                    (0, nil, 700_001), (2 << 20, nil, 13_194), ((2 << 20) + 65536, nil, 195_222),
                    (1 << 20, nil, 300_000), (5 << 20, nil, 1), (0, length, length),
                ] as [(Int64, Int64?, Int64)] {
                    let seen = try await launch.player.take(url, from: start, to: end, count: count)
                    try seen.expect(video, from: start, count: count)
                    async let one = launch.player.take(url, from: start, to: end, count: count)
                    async let other = launch.player.take(url, from: start, to: end, count: count)
                    try await one.expect(video, from: start, count: count)
                    try await other.expect(video, from: start, count: count)
                }
            }
            try stage.state().expect([0..<length], of: url, as: video)
            try await stage.expectOffline(ByteRanges([0..<length]), of: url, as: video, origin)
        }
    }

    /// The second launch is offline, with half of the video cached.
    ///
    /// The cached parts play, up to where a chunk is missing. An unknown video fails with a
    /// reason. With the network back, only the missing part is fetched.
    @Test(arguments: Stage.file)
    func t10OfflineWhatIsCachedPlaysAndTheRestFailsClearly(storage: String) async throws {
        let mega: Int64 = 1 << 20
        try await Stage.withVideo(storage, 10, length: 4 << 20) { stage, video, _, url in
            try await stage.proxy { launch in
                for start in [0, 2 * mega] {
                    let seen = try await launch.player.take(url, from: start, to: start + mega)
                    try seen.expect(video, from: start, count: mega)
                }
            }
            let saved = ByteRanges([0..<mega, 2 * mega..<3 * mega])
            try stage.state().expect(saved.ranges, of: url, as: video)
            try await stage.expectOffline(saved, of: url, as: video, nil)
            // The served part ends where the chunk is missing, and the network provides the rest.
            let end = try await stage.proxy { launch in
                let whole = try await launch.player.take(url)
                try whole.expect(video, from: 0, count: video.length)
            }
            #expect(
                end.witness.received(of: url)
                    == ByteRanges([mega..<2 * mega, 3 * mega..<video.length]))
        }
    }

    @Test(arguments: Stage.rows)
    func c5OfflineTheServedPartEndsAtTheMissingChunk(storage: String) async throws {
        let mega: Int64 = 1 << 20
        try await Stage.withVideo(storage, 11, length: 3 << 20) { stage, video, origin, url in
            try await stage.proxy { launch in
                for start in [0, 2 * mega] {
                    _ = try await launch.player.take(url, from: start, to: start + mega)
                }
            }
            try await origin.drop()
            try await stage.proxy { launch in
                let seen = try await launch.player.take(url)
                #expect(seen.isCut)
                try seen.expect(video, from: 0, count: mega)
                #expect(try await launch.player.take(url, from: mega).status == 502)
                let tail = try await launch.player.take(url, from: 2 * mega)
                #expect(!tail.isCut)
                try tail.expect(video, from: 2 * mega, count: mega)
                // No record is a miss, and offline a clear failure.
                let unknown = try await launch.player.take(url + "?unknown")
                #expect(unknown.status == 502)
                #expect(unknown.text.contains("cannot connect"), "\(unknown.text)")
            }
        }
    }

    /// A byte is flipped while the proxy is stopped, and while it runs.
    @Test(arguments: Nightly.pairs([false, true], Stage.storages))
    func c5ADamagedChunkIsFetchedAgain(whileRunning: Bool, storage: String) async throws {
        try await Stage.withVideo(storage, 13, length: 3 << 20) { stage, video, origin, url in
            try await stage.proxy { launch in
                try await launch.player.take(url).expect(video, from: 0, count: video.length)
                try await launch.allRequestsEnded()
                guard whileRunning else { return }
                try await stage.flipAByte(at: 1 << 20)
                try await launch.player.take(url).expect(video, from: 0, count: video.length)
            }
            if !whileRunning { try await stage.flipAByte(at: 1 << 20) }
            let end = try await stage.proxy { launch in
                try await launch.player.take(url).expect(video, from: 0, count: video.length)
            }
            #expect(end.witness.received(of: url).isEmpty == whileRunning)
            try stage.state().expect([0..<video.length], of: url, as: video)
            // Without the network the served part ends before the damage.
            try await stage.flipAByte(at: 1 << 20)
            try await origin.drop()
            try await stage.proxy { launch in
                let seen = try await launch.player.take(url)
                #expect(seen.isCut)
                #expect(seen.body.count > 400_000)
                #expect(seen.body.count <= 1 << 20)
                try seen.expectPrefix(of: video)
            }
        }
    }

    /// Two players request the same range at once: the origin sends each byte once (C7).
    @Test(arguments: Stage.file)
    func edge2TwoRequestsForTheSameRangeShareOneDownload(storage: String) async throws {
        try await Stage.withVideo(
            storage, 14, length: 4 << 20, bytesPerSecond: 8e6
        ) { stage, video, origin, url in
            try await stage.proxy { launch in
                async let one = launch.player.take(url)
                async let other = launch.player.take(url)
                try await one.expect(video, from: 0, count: video.length)
                try await other.expect(video, from: 0, count: video.length)
            }
            // Without the probe.
            let served = origin.mounts[0].ledger.filter { $0.requested != 0..<2 }
            #expect(served.map(\.servedBytes).reduce(0, +) == video.length, "\(served)")
            try stage.state().expect([0..<video.length], of: url, as: video)
        }
    }
}

extension Stage {
    /// Flips a byte in the chunk that contains a position, in the cache's own files.
    func flipAByte(at position: Int64) async throws {
        let folder = place.path("cache")
        if storage == "file" {
            let file = try #require(FileHandle(forUpdatingAtPath: folder + "/data/1"))
            defer { try? file.close() }
            try file.seek(toOffset: UInt64(position))
            let byte = try #require(try file.read(upToCount: 1)?.first)
            try file.seek(toOffset: UInt64(position))
            try file.write(contentsOf: [byte ^ 0x10])
            return
        }
        let queue = try DatabaseQueue(path: folder + "/cache.sqlite")
        try await queue.write { db in
            let row = try #require(
                try Row.fetchOne(
                    db,
                    sql: """
                        SELECT offset, bytes FROM chunk
                        WHERE offset <= :position AND offset + length > :position
                        """, arguments: ["position": position]))
            let offset: Int64 = row["offset"]
            var bytes: Data = row["bytes"]
            bytes[bytes.startIndex + Int(position - offset)] ^= 0x10
            try db.execute(
                sql: "UPDATE chunk SET bytes = ? WHERE offset = ?", arguments: [bytes, offset])
        }
        try queue.close()
    }
}
