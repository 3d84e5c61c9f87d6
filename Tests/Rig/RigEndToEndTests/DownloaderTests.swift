import Fixture
import FixtureOrigin
import Foundation
import GRDB
import Testing
import TestSupport

/// The reference downloader as a user runs it, mainly with errors in its way.
@Suite struct DownloaderTests {
    private let place = Workplace()

    private static let isRoot = geteuid() == 0

    private func fetch(_ url: String, in place: Workplace) async throws -> Programs.Outcome {
        try await downloader("fetch", "--url", url, "--cache", "cache", in: place)
    }

    @Test func whatIsFetchedIsThereOfflineToo() async throws {
        try await serving(["--video-size", "5MB"]) { url in
            #expect(try await fetch(url, in: place).exitCode == 0)
            try url.save(as: "url", in: place)
            try await curl("-s", "-o", "direct.mp4", url, in: place, exits: 0)
        }
        let url = try place.text("url")
        #expect(try await place.cachedBytes() == 5 << 20)
        try await downloader(
            "export", "--cache", "cache", "--url", url, "--output", "out.mp4", in: place, exits: 0)
        #expect(place.file("out.mp4", is: try place.data("direct.mp4")))
        // A complete video needs no origin.
        #expect(try await fetch(url, in: place).exitCode == 0)
    }

    @Test func aFetchAlsoWritesTheCompleteVideo() async throws {
        try await serving(["--video-size", "5MB"]) { url in
            try await downloader(
                "fetch", "--cache", "cache", "--output", "cache/cache.sqlite", url, in: place,
                exits: 64, complains: "belongs to the cache itself")
            for _ in 0..<2 {
                try await downloader(
                    "fetch", "--quiet", "--cache", "cache", "--output", "out.mp4", url,
                    in: place, exits: 0)
                try await curl("-s", "-o", "direct.mp4", url, in: place, exits: 0)
                #expect(place.file("out.mp4", is: try place.data("direct.mp4")))
                try place.remove("out.mp4")
            }
            try await downloader(
                "fetch", "--quiet", "--cache", "cache", "--output", "no/out.mp4", url, in: place
            ).exits(73, inOneLine: "no/out.mp4")
            #expect(try await place.cachedBytes() == 5 << 20)
        }
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
            #expect(try await fetch(url, in: place).exitCode == 0)
            #expect(try await place.cachedBytes() == 5 << 20)
        }
    }

    /// SIGXFSZ ended it with 153, and an export left its file under construction.
    @Test(arguments: Nightly.pairs(["fetch", "export"], ["file", "rows"]))
    func aLimitOfFileSizeLosesAndLeavesNothing(command: String, storage: String) async throws {
        try await serving(["--video-size", "5MB"]) { url in
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
            try await curl("-s", "-o", "direct.mp4", url, in: place, exits: 0)
            #expect(place.file("out.mp4", is: try place.data("direct.mp4")))
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
        try await fetch("http://127.0.0.1:9/v.mp4", in: place).exits(65, inOneLine: "cache.sqlite")
        #expect(place.file("cache/cache.sqlite", is: mine))
    }

    /// A video with a length changed by one flipped bit used to be exported, with exit code 0.
    @Test func damageIsSaidMendedAndFetchedAnew() async throws {
        try await serving(["--video-size", "5MB"]) { url in
            let place = Workplace()
            let whole = try await fetch(url, in: place)
            #expect(whole.exitCode == 0 && !whole.complaint.contains("damage"))
            let queue = try DatabaseQueue(path: place.path("cache/cache.sqlite"))
            try await queue.write {
                try $0.execute(sql: "UPDATE video SET length = length - (1 << 20)")
            }
            try queue.close()
            let export = ["export", "--url", url, "--cache", "cache", "--output", "out.mp4"]
            try await downloader(export, in: place).exits(66, inOneLine: "fetch it first")
            try await fetch(url, in: place).exits(0)
            try await downloader(export, in: place, exits: 0)
            #expect(try place.data("out.mp4").count == 5 << 20)
        }
    }

    /// A folder is in place of SQLite's shared memory file.
    ///
    /// The right file was written, but the exit code was 73. What is only read is not opened to
    /// be written now, so the folder does no harm (K12).
    @Test func aFileThatIsWrittenIsExitCode0() async throws {
        try await serving(["--video-size", "5MB"]) { url in
            let place = Workplace()
            try await downloader(
                "fetch", "--url", url, "--cache", "cache", "--storage", "rows", in: place, exits: 0)
            try place.makeFolder("cache/cache.sqlite-shm")
            try await downloader(
                "export", "--url", url, "--cache", "cache", "--output", "out.mp4", in: place,
                exits: 0)
            #expect(place.has("out.mp4"))
        }
    }

    @Test func aNewerSchemaIsLeftAsItIs() async throws {
        try place.makeFolder("cache")
        let path = place.path("cache/cache.sqlite")
        let queue = try DatabaseQueue(path: path)
        try await queue.write {
            try $0.execute(sql: "CREATE TABLE video (id INTEGER); PRAGMA user_version = 99")
        }
        try queue.close()
        let before = FileManager.default.contents(atPath: path)
        try await fetch("http://127.0.0.1:9/v.mp4", in: place).exits(65, inOneLine: "99")
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    /// It could only be cleared; a fetch always works on a folder of the cache's own.
    @Test func anOlderSchemaIsBegunAnew() async throws {
        try await serving(["--video-size", "5MB"]) { url in
            #expect(try await fetch(url, in: place).exitCode == 0)
            let queue = try DatabaseQueue(path: place.path("cache/cache.sqlite"))
            try await queue.write { try $0.execute(sql: "PRAGMA user_version = 3") }
            try queue.close()
            try await fetch(url, in: place).exits(0).complains("earlier version")
            #expect(try await place.cachedBytes() == 5 << 20)
        }
    }

    @Test func anOriginThatIsNotThereIs69() async throws {
        try await fetch("http://127.0.0.1:9/v.mp4", in: place).exits(69, inOneLine: "127.0.0.1:9")
    }

    @Test(.enabled(if: isRoot, "mounting a small disk needs root"))
    func aFullDiskKeepsWhatWasSaved() async throws {
        try await place.withDisk("size=4m", at: "cache") {
            try await serving(["--video-size", "5MB"]) { url in
                try await fetch(url, in: place).exits(74, inOneLine: "no room left")
                let kept = try await place.cachedBytes()
                #expect(kept > 0)
                try await place.mount("-o", "remount,size=40m", place.path("cache"))
                #expect(try await place.cachedBytes() == kept)
                #expect(try await fetch(url, in: place).exitCode == 0)
                #expect(try await place.cachedBytes() == 5 << 20)
            }
        }
    }

    @Test(.enabled(if: isRoot, "mounting a read-only disk needs root"))
    func aReadOnlyFolderIsLeftAsItIs() async throws {
        try await place.withDisk("size=40m", at: "cache") {
            try await serving(["--video-size", "5MB"]) { url in
                #expect(try await fetch(url, in: place).exitCode == 0)
                let before = try place.data("cache/cache.sqlite")
                try await place.mount("-o", "remount,ro", place.path("cache"))
                try await fetch(url + "?other", in: place).exits(73, inOneLine: "cache")
                #expect(place.file("cache/cache.sqlite", is: before))
            }
        }
    }
}
