import Foundation
import GRDB
import Testing
import TestSupport

/// `--storage` as a user sees it.
@Suite struct StorageTests {
    private let place = Workplace()

    private func withOrigin(
        _ arguments: [String] = [], _ body: @Sendable (_ url: String) async throws -> Void
    ) async throws {
        let place = Workplace()
        try await serving(["--video-size", "3MB"] + arguments, in: place, body)
    }

    private func run(_ arguments: String..., in place: Workplace) async throws -> Programs.Outcome {
        try await downloader(arguments, "--cache", "cache", in: place)
    }

    private func files(in place: Workplace) throws -> [String] {
        try place.names(in: "cache/data").filter { $0 != "journal" }
    }

    @Test func aVideoInAFileIsFetchedShownExportedAndCleared() async throws {
        try await withOrigin { url in
            let fetch = try await run("fetch", "--url", url, "--storage", "file", in: place)
            #expect(fetch.exitCode == 0, "\(fetch.complaint)")
            // The sparse file equals the video, byte for byte.
            let name = try #require(try files(in: place).first)
            try await Programs.run(
                "/usr/bin/curl", ["-s", "-o", "direct.mp4", url], in: place.url, exits: 0)
            #expect(
                FileManager.default.contentsEqual(
                    atPath: place.path("cache/data/\(name)"), andPath: place.path("direct.mp4"))
            )
            // Later openings of the cache detect the layout.
            let status = try await run("status", "--json", in: place)
            status.prints("\"cached_bytes\" : \(3 << 20)")
            try await run("export", "--url", url, "--output", "out.mp4", in: place).exits(0)
            #expect(
                FileManager.default.contentsEqual(
                    atPath: place.path("out.mp4"), andPath: place.path("direct.mp4")))
            #expect(try await run("fetch", "--url", url, in: place).exitCode == 0)
            #expect(try await run("clear", "--url", url, in: place).exitCode == 0)
            #expect(try files(in: place) == [])
        }
    }

    @Test(arguments: ["data/1", "data", "data/new.mp4", "cache.sqlite", "sub/../data/1"])
    func anExportNeverWritesOverTheCache(output: String) async throws {
        try await withOrigin { url in
            _ = try await run("fetch", "--url", url, "--storage", "file", in: place)
            try place.makeFolder("cache/sub")
            let export = try await run(
                "export", "--url", url, "--output", "cache/" + output, in: place)
            #expect(export.exitCode == 64)
            export.complains("choose another file")
            let status = try await run("status", "--json", in: place)
            status.prints("\"is_complete\" : true")
        }
    }

    @Test(arguments: [("rows", "file"), ("file", "rows")])
    func theOtherLayoutIsRefusedWithTheRemedy(there: String, asked: String) async throws {
        try await withOrigin { url in
            _ = try await run("fetch", "--url", url, "--storage", there, in: place)
            let fetch = try await run("fetch", "--url", url, "--storage", asked, in: place)
            #expect(fetch.exitCode == 64)
            fetch.complains("use --storage \(there)")
            #expect(fetch.complaint.split(separator: "\n").count == 1)
        }
    }

    @Test(arguments: ["process", "power"])
    func aKilledFetchContinuesWithWhatItSaved(durability: String) async throws {
        try await withOrigin(["--bandwidth", "2MB/s"]) { url in
            let killed = try await Programs.run(
                Programs.downloader,
                [
                    "fetch", "--url", url, "--cache", "cache", "--storage", "file",
                    "--durability", durability,
                ], in: place.url
            ) { worker in
                try await eventually("two chunks are committed") { try saved(in: place).count >= 2 }
                #expect(kill(worker, SIGKILL) == 0)
            }
            #expect(killed.signal == SIGKILL)
            let kept = try saved(in: place).reduce(0, +)
            let status = try await run("status", "--json", in: place)
            status.prints("\"cached_bytes\" : \(kept)")
            try await run("fetch", "--url", url, in: place).exits(0)
            try await run("export", "--url", url, "--output", "o.mp4", in: place).exits(0)
        }
    }

    @Test func twoFetchesShareOneFolder() async throws {
        try await withOrigin(["--bandwidth", "4MB/s"]) { url in
            async let first = run("fetch", "--url", url, "--storage", "file", in: place)
            async let second = run(
                "fetch", "--url", url + "?second", "--storage", "file", in: place)
            let codes = try await [first.exitCode, second.exitCode]
            #expect(codes == [0, 0])
            let status = try await run("status", "--json", in: place)
            status.prints("\"cached_bytes\" : \(6 << 20)")
        }
    }

    /// The lengths of the stored chunks.
    private func saved(in place: Workplace) throws -> [Int64] {
        let path = place.path("cache/cache.sqlite")
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(60)
        let queue = try? DatabaseQueue(path: path, configuration: configuration)
        return (try? queue?.read { try Int64.fetchAll($0, sql: "SELECT length FROM chunk") }) ?? []
    }
}
