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

    @Test func anExportNeverWritesOverTheCache() async throws {
        try await serving(["--video-size", "3MB"]) { url in
            _ = try await run("fetch", "--url", url, "--storage", "file", in: place)
            try place.makeFolder("cache/sub")
            for output in ["data/1", "data", "data/new.mp4", "cache.sqlite", "sub/../data/1"] {
                try await run("export", "--url", url, "--output", "cache/" + output, in: place)
                    .exits(64).complains("choose another file")
            }
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
}
