import Foundation
import Testing
import TestSupport

/// What `--verbose` says of the cache's side of a request (F5), and of a disk that is low (S6).
@Suite struct RetrievalLogTests {
    private let place = Workplace()

    private static let length: Int64 = 3 << 20

    /// The lines of a log that are about an event.
    private func lines(_ event: String, in log: String) -> [String] {
        log.split(separator: "\n").filter { $0.hasSuffix("] \(event)") }.map(String.init)
    }

    @Test func whatIsFoundIsLoggedBeforeTheNetworkIsAsked() async throws {
        try await withVideo(seed: 9) { _, url in
            let fetch = ["fetch", url, "--cache", "cache", "--verbose"]
            let first = try await downloader(fetch, in: place)
            #expect(lines("cache miss", in: first.complaint).count == 1)
            #expect(lines("cache hit", in: first.complaint).isEmpty)
            let second = try await downloader(fetch, in: place)
            let hits = lines("cache hit", in: second.complaint)
            #expect(hits.count == 1)
            let hit = try #require(hits.first)
            #expect(hit.contains("found_bytes=\(Self.length) "), "\(hit)")
            #expect(hit.contains("ranges=1 "), "\(hit)")
            #expect(hit.contains("=6 of 6") || hit.contains("=7 of 7"), "\(hit)")
            #expect(lines("start", in: second.complaint).isEmpty, "nothing is requested")
        }
    }

    /// The two counts were the same number, printed twice.
    @Test func whatWasLookedForAndNotFoundIsLogged() async throws {
        try await withVideo(seed: 9) { _, url in
            try await downloader("fetch", url, "--cache", "cache", "--quiet", in: place)
            let file = try #require(FileHandle(forUpdatingAtPath: place.path("cache/data/1")))
            try file.truncate(atOffset: 3 << 19)
            try file.close()
            let outcome = try await downloader(
                "fetch", url, "--cache", "cache", "--verbose", in: place)
            let hit = try #require(lines("cache hit", in: outcome.complaint).first)
            let counts = try #require(hit.firstMatch(of: #/video_chunks=(\d+) of (\d+)/#), "\(hit)")
            let (found, wanted) = (Int(counts.1) ?? 0, Int(counts.2) ?? 0)
            #expect(found < wanted && wanted >= 6 && found > 0, "\(hit)")
        }
    }

    @Test func aLowDiskIsSaidAndPlayingGoesOn() async throws {
        try await withVideo(seed: 9) { whole, url in
            let reserve = ["--reserve", "900000GB"]
            let outcome = try await ProxyProcess.run(in: place, reserve) { proxy in
                try await proxy.play(url, in: place)
                #expect(try proxy.status().cached_bytes == 0)
            }
            #expect(place.file("played", is: whole))
            outcome.complains("nothing is saved meanwhile")
            try await downloader(
                ["fetch", url, "--cache", "cache", "--quiet"] + reserve, in: place, exits: 74,
                complains: "; free disk space")
        }
    }

    /// Of a video beyond `ulimit -f` nothing more was saved, and nothing said.
    @Test func aLimitOfFileSizeIsSaidAndPlayingGoesOn() async throws {
        try await withVideo(seed: 9) { whole, url in
            let outcome = try await ProxyProcess.run(in: place) { proxy in
                try await Programs.run(
                    "/usr/bin/prlimit", ["--pid", "\(proxy.processID)", "--fsize=1500000"],
                    in: place.url, exits: 0)
                try await proxy.play(url, in: place)
            }
            #expect(place.file("played", is: whole))
            for words in ["(ulimit -f)", "nothing is saved meanwhile"] { outcome.complains(words) }
        }
    }
}
