import Foundation
import Testing
import TestSupport

/// `--storage` as a user sees it.
@Suite struct StorageTests {
    private let place = Workplace()

    private func run(_ arguments: String..., in place: Workplace) async throws -> Programs.Outcome {
        try await downloader(arguments, "--cache", "cache", in: place)
    }

    private func files(in place: Workplace) throws -> [String] {
        try place.names(in: "cache/data").filter { $0 != "journal" }
    }

    @Test func aVideoInAFileIsFetchedShownExportedAndCleared() async throws {
        try await serving(["--video-size", "3MB"]) { url in
            try await run("fetch", "--url", url, "--storage", "file", in: place).exits(0)
            // The sparse file equals the video, byte for byte.
            let name = try #require(try files(in: place).first)
            try await curl("-s", "-o", "direct.mp4", url, in: place, exits: 0)
            let video = try place.data("direct.mp4")
            #expect(place.file("cache/data/\(name)", is: video))
            // Later openings of the cache detect the layout.
            try await run("status", "--json", in: place).prints("\"cached_bytes\" : \(3 << 20)")
            try await run("export", "--url", url, "--output", "out.mp4", in: place).exits(0)
            #expect(place.file("out.mp4", is: video))
            #expect(try await run("fetch", "--url", url, in: place).exitCode == 0)
            #expect(try await run("clear", "--url", url, in: place).exitCode == 0)
            #expect(try files(in: place) == [])
        }
    }

    @Test(arguments: ["data/1", "data", "data/new.mp4", "cache.sqlite", "sub/../data/1"])
    func anExportNeverWritesOverTheCache(output: String) async throws {
        try await serving(["--video-size", "3MB"]) { url in
            _ = try await run("fetch", "--url", url, "--storage", "file", in: place)
            try place.makeFolder("cache/sub")
            try await run("export", "--url", url, "--output", "cache/" + output, in: place)
                .exits(64).complains("choose another file")
            try await run("status", "--json", in: place).prints("\"is_complete\" : true")
        }
    }

    @Test(arguments: [("rows", "file"), ("file", "rows")])
    func theOtherLayoutIsRefusedWithTheRemedy(there: String, asked: String) async throws {
        try await serving(["--video-size", "3MB"]) { url in
            _ = try await run("fetch", "--url", url, "--storage", there, in: place)
            try await run("fetch", "--url", url, "--storage", asked, in: place)
                .exits(64, inOneLine: "use --storage \(there)")
        }
    }

    @Test(arguments: ["process", "power"])
    func aKilledFetchContinuesWithWhatItSaved(durability: String) async throws {
        try await serving(["--video-size", "3MB", "--bandwidth", "2MB/s"]) { url in
            try await downloader.end(
                [
                    "fetch", "--url", url, "--cache", "cache", "--storage", "file",
                    "--durability", durability,
                ], in: place, by: SIGKILL, exits: nil, once: "two chunks are committed"
            ) { place.chunkLengths().count >= 2 }
            let kept = place.chunkLengths().reduce(0, +)
            try await run("status", "--json", in: place).prints("\"cached_bytes\" : \(kept)")
            try await run("fetch", "--url", url, in: place).exits(0)
            try await run("export", "--url", url, "--output", "o.mp4", in: place).exits(0)
        }
    }

    @Test func twoFetchesShareOneFolder() async throws {
        try await serving(["--video-size", "3MB", "--bandwidth", "4MB/s"]) { url in
            async let first = run("fetch", "--url", url, "--storage", "file", in: place)
            async let second = run(
                "fetch", "--url", url + "?second", "--storage", "file", in: place)
            let codes = try await [first.exitCode, second.exitCode]
            #expect(codes == [0, 0])
            try await run("status", "--json", in: place).prints("\"cached_bytes\" : \(6 << 20)")
        }
    }
}
