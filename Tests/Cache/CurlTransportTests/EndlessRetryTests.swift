import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// Retries that never ended: every byte that came counted as progress, also when it had come before.
///
/// An origin without ranges and validators that cut at the same place was asked again for ever:
/// 356 MB in 20 s with `--retries 1`.
@Suite("Only growth of what is cached is progress", .serialized) struct EndlessRetryTests {
    private static let video = videoBytes(600_000, seed: 5)

    struct Broken: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The most requests until it is given up, with two retries.
        var most: Int
        var reply: TestOrigin.Handler
    }

    private static func whole(_ headers: [String: String], _ count: Int) -> Reply {
        Reply(headers: headers, body: video, sendsOnly: count)
    }

    static let all: [Broken] = [
        Broken(testDescription: "no validator", most: 5) { _ in whole([:], 200_000) },
        Broken(testDescription: "a weak tag", most: 5) { _ in
            whole(["ETag": "W/\"v1\""], 200_000)
        },
        Broken(testDescription: "a date", most: 5) { _ in
            whole(["Last-Modified": "Fri, 01 Mar 2024 10:00:00 GMT"], 200_000)
        },
        Broken(testDescription: "another tag each time", most: 5) { request in
            whole(["ETag": "\"\(request.number)\""], 200_000)
        },
        Broken(testDescription: "a tag in turn, and cuts here and there", most: 6) { request in
            whole(
                ["ETag": "\"\(request.number % 2)\""],
                [200_000, 150_000, 250_000][request.number % 3])
        },
        Broken(testDescription: "two bytes of nearly 8 EB", most: 5) { _ in
            Reply(
                headers: ["Content-Length": "\(Int64.max)"], body: [1, 2], endsWithConnection: true)
        },
        Broken(testDescription: "two bytes of 8 EB", most: 5) { _ in
            Reply(
                headers: ["Content-Length": "9223372036854775808"], body: [1, 2],
                endsWithConnection: true)
        },
        Broken(testDescription: "nothing of a part", most: 8) { request in
            var reply = TestOrigin.honest(request, video)
            let first = request.range?.first ?? 300_000
            if request.range?.last == nil { reply.sendsOnly = max(0, 300_000 - first) }
            return reply
        },
    ]

    @Test("a fetch gives up", arguments: all, [StorageLayout.file, .rows])
    func fetch(broken: Broken, layout: StorageLayout) throws {
        let cache = try TemporaryCache(layout: layout)
        let origin = try TestOrigin(broken.reply)
        let download = cache.download(origin.url, retry: .atOnce(2))
        let result = Result { try Background { try download.run() }.value().isComplete }
        #expect(throws: (any Error).self) { try result.get() }
        #expect(origin.requests.count <= broken.most, "\(origin.ranges)")
    }

    @Test("so does a player's download", arguments: all) func player(broken: Broken) throws {
        let cache = try TemporaryCache()
        let origin = try TestOrigin(broken.reply)
        let loader = cache.loader(retry: .atOnce(2))
        let reader = loader.reader(of: origin.url, range: nil)
        let result = Result { try Background { try reader.all() }.value().count }
        #expect(throws: (any Error).self) { try result.get() }
        loader.close()
        #expect(origin.requests.count <= broken.most + 2, "\(origin.ranges)")
    }
}
