import Foundation
import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// A fetch is killed, the origin changes or misbehaves, and the next fetch begins.
@Suite("What a killed fetch has saved meets another answer", .serialized)
struct KilledBetweenTests {
    private static let date = "Fri, 01 Mar 2024 10:00:00 GMT"
    private static let old = videoBytes(3_000_000, seed: 1)

    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The video; nil for one that the next fetch must not get.
        var video: [UInt8]?
        var isChunked = true
        var headers = ["Last-Modified": KilledBetweenTests.date]
    }

    static let changes: [Change] = [
        Change(testDescription: "the same date, shorter", video: videoBytes(2_000_000, seed: 2)),
        Change(testDescription: "the same date, longer", video: videoBytes(4_000_000, seed: 2)),
        Change(
            testDescription: "the same date, announced", video: videoBytes(2_500_000, seed: 2),
            isChunked: false),
        Change(testDescription: "a page", headers: ["Content-Type": "application/xhtml+xml"]),
        Change(testDescription: "nothing", isChunked: false, headers: [:]),
    ]

    @Test(arguments: changes, ["file", "rows"])
    func killed(change: Change, storage: String) throws {
        let folder = FileManager.default.temporaryDirectory.path + "/KilledBetween-\(UUID())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (hasChanged, gate) = (Flag(), DispatchSemaphore(value: 0))
        let origin = try TestOrigin { request in
            guard hasChanged.value else {
                var reply = TestOrigin.honest(request, Self.old, etag: nil)
                reply.headers["Last-Modified"] = Self.date
                if request.range?.last == nil {
                    (reply.pausesAfter, reply.gate) = (1_500_000, gate)
                }
                return reply
            }
            return Reply(
                headers: change.headers, body: change.video ?? [], isChunked: change.isChunked)
        }
        let fetch = [
            "fetch", origin.url, "--cache", folder + "/c", "--storage", storage, "--threshold",
            "256KB", "--retries", "0",
        ]
        let words = folder + "/words"
        _ = FileManager.default.createFile(atPath: words, contents: nil)
        let process = try BuiltDownloader.start(
            fetch, complaints: FileHandle(forWritingTo: URL(fileURLWithPath: words)))
        var seen: Result<Int64, any Error>?
        func cachedBytes() -> Int64 {
            seen = Result {
                let cache = try VideoCache(folder: folder + "/c", access: .readOnly)
                defer { try? cache.close() }
                return try cache.cachedBytes(of: origin.url)
            }
            return (try? seen?.get()) ?? 0
        }
        do {
            // Before the origin goes on by itself.
            try blockUntil("a megabyte is saved", within: patience / 2, every: .milliseconds(20)) {
                cachedBytes() > 1 << 20
            }
        } catch {
            Issue.record("\(error); at last \(String(describing: seen))")
        }
        #expect(
            kill(process.processIdentifier, SIGKILL) == 0,
            "ended by itself: \((try? String(contentsOfFile: words, encoding: .utf8)) ?? "")")
        process.waitUntilExit()
        gate.signal()
        let saved = cachedBytes()
        hasChanged.set()
        let file = folder + "/v"
        let code = try BuiltDownloader.run(fetch + ["--output", file]).exitCode
        if let video = change.video {
            #expect(code == 0)
            #expect(FileManager.default.contents(atPath: file).map(Array.init) == video)
        } else {
            #expect(code == 69)
            #expect(cachedBytes() == saved)
            #expect(!FileManager.default.fileExists(atPath: file))
        }
    }
}
