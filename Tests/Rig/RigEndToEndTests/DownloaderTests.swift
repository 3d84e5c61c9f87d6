import Fixture
import FixtureOrigin
import Foundation
import GRDB
import Testing
import TestSupport

/// The reference downloader as a user runs it, mainly with errors in its way.
@Suite struct DownloaderTests {
    private let place = Workplace()

    private func fetch(_ url: String) async throws -> Programs.Outcome {
        try await downloader("fetch", "--url", url, "--cache", "cache", in: place)
    }

    /// Changes the cache's database.
    private func change(_ sql: String) async throws {
        let queue = try DatabaseQueue(path: place.path("cache/cache.sqlite"))
        try await queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    /// It needs no origin then, and no place for SQLite's shared memory.
    ///
    /// With a folder in that place an export wrote the right file, but its exit code was 73. What is
    /// only read is not opened to be written now (K12).
    @Test func whatIsFetchedIsWrittenAndIsThereOffline() async throws {
        var (bytes, address) = (Data(), "")
        try await withVideo(seed: 5) { whole, url in
            (bytes, address) = (whole, url)
            let fetch = [
                "fetch", url, "--quiet", "--cache", "cache", "--storage", "rows", "--output",
            ]
            try await downloader(
                fetch, "cache/cache.sqlite", in: place, exits: 64,
                complains: "belongs to the cache itself")
            for _ in 0..<2 {
                try await downloader(fetch, "out.mp4", in: place, exits: 0)
                #expect(place.file("out.mp4", is: whole))
                try place.remove("out.mp4")
            }
            try await downloader(fetch, "no/out.mp4", in: place)
                .exits(73, inOneLine: "no/out.mp4")
        }
        #expect(try await place.cachedBytes() == Int64(bytes.count))
        try await fetch(address).exits(0)
        try place.makeFolder("cache/cache.sqlite-shm")
        try await downloader(
            "export", "--cache", "cache", "--url", address, "--output", "out.mp4", in: place,
            exits: 0)
        #expect(place.file("out.mp4", is: bytes))
    }

    /// `ScenarioTests` (t12) checks that the remainder is saved to the byte.
    @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
    func aRequestToEndLeavesACacheToGoOnWith(signal: Int32, code: Int32) async throws {
        try await serving(["--video-size", "5MB", "--bandwidth", "2MB/s"]) { url in
            try await downloader.end(
                ["fetch", "--url", url, "--cache", "cache"], in: place, by: signal, exits: code,
                once: "two chunks are committed"
            ) { place.chunkLengths().count >= 2 }
            let saved = place.chunkLengths()
            #expect(saved.count >= 2)
            #expect(try await place.cachedBytes() == saved.reduce(0, +))
            try await downloader(
                "export", "--cache", "cache", "--url", url, "--output", "out.mp4", in: place,
                exits: 65)
            #expect(!place.has("out.mp4"))
            try await fetch(url).exits(0)
            #expect(try await place.cachedBytes() == 5 << 20)
        }
    }

    /// SIGXFSZ ended it with 153, and an export left its file under construction.
    @Test(arguments: Nightly.pairs(["fetch", "export"], ["file", "rows"]))
    func aLimitOfFileSizeLosesAndLeavesNothing(command: String, storage: String) async throws {
        try await withVideo(seed: 5, length: 5 << 20) { whole, url in
            let fetch = ["fetch", url, "--cache", "cache", "--storage", storage, "--quiet"]
            let export = ["export", url, "--cache", "cache", "--output", "out.mp4"]
            if command == "export" { try await downloader(fetch, in: place, exits: 0) }
            try await Programs.run(
                "/bin/bash",
                ["-c", #"ulimit -f 2000; exec "$0" "$@""#, Programs.downloader]
                    + (command == "export" ? export : fetch + export.suffix(2)), in: place.url
            ).exits(74, inOneLine: "(ulimit -f)")
            let left = try FileManager.default.contentsOfDirectory(atPath: place.url.path)
            #expect(!left.contains { $0.hasPrefix("out.mp4") }, "\(left)")
            let kept = try await place.cachedBytes()
            #expect(kept > 0 && (command == "fetch" || kept == 5 << 20), "\(kept)")
            try await downloader(fetch, in: place, exits: 0)
            try await downloader(export, in: place, exits: 0)
            #expect(place.file("out.mp4", is: whole))
        }
    }

    /// A shell has a program ignore SIGINT, where it is a job in the background.
    @Test(arguments: [("INT", SIGINT, SIGTERM, Int32(143)), ("TERM", SIGTERM, SIGINT, 130)])
    func whatTheCallerIgnoresStaysIgnored(
        name: String, ignored: Int32, other: Int32, code: Int32
    ) async throws {
        let video = try FixtureVideo(seed: 5, length: 4 << 20)
        try await withOrigin { origin in
            let mount = origin.mount(Resource(source: video), at: "/v.mp4")
            mount.hold(afterDistinctBytes: 1 << 20)
            try await Programs.run(
                "/bin/sh",
                [
                    "-c", "trap '' \(name); exec \"$@\"", "sh", Programs.downloader, "fetch",
                    mount.url, "--cache", "cache", "--quiet",
                ], in: place.url, exits: code
            ) { process in
                try await eventually("some is saved") { try await place.cachedBytes() > 0 }
                kill(process, ignored)
                mount.hold(afterDistinctBytes: 3 << 20)
                try await eventually("the fetch goes on") {
                    try await place.cachedBytes() > 2 << 20
                }
                kill(process, other)
            }
        }
    }

    @Test func aFileThatIsNoDatabaseIsLeftAsItIs() async throws {
        try place.makeFolder("cache")
        let mine = Data("my diary, which is not a database".utf8)
        try mine.save(as: "cache/cache.sqlite", in: place)
        try await fetch("http://127.0.0.1:9/v.mp4").exits(65, inOneLine: "cache.sqlite")
        #expect(place.file("cache/cache.sqlite", is: mine))
    }

    /// A video with a length changed by one flipped bit used to be exported, with exit code 0.
    @Test func damageIsSaidMendedAndFetchedAnew() async throws {
        try await withVideo(seed: 5) { whole, url in
            let first = try await fetch(url).exits(0)
            #expect(!first.complaint.contains("damage"))
            try await change("UPDATE video SET length = length - (1 << 20)")
            let export = ["export", "--url", url, "--cache", "cache", "--output", "out.mp4"]
            try await downloader(export, in: place).exits(66, inOneLine: "fetch it first")
            try await fetch(url).exits(0)
            try await downloader(export, in: place, exits: 0)
            #expect(place.file("out.mp4", is: whole))
        }
    }

    /// An older one could only be cleared; a fetch always works on a folder of the cache's own.
    @Test func anOlderSchemaIsBegunAnewAndANewerOneLeftAsItIs() async throws {
        try await withVideo(seed: 5) { whole, url in
            try await fetch(url).exits(0)
            try await change("PRAGMA user_version = 3")
            try await fetch(url).exits(0).complains("earlier version")
            #expect(try await place.cachedBytes() == Int64(whole.count))
            try await change("PRAGMA user_version = 99")
            let before = try place.data("cache/cache.sqlite")
            try await fetch(url).exits(65, inOneLine: "99")
            #expect(place.file("cache/cache.sqlite", is: before))
        }
    }

    @Test func anOriginThatIsNotThereIs69() async throws {
        try await fetch("http://127.0.0.1:9/v.mp4").exits(69, inOneLine: "127.0.0.1:9")
    }
}
