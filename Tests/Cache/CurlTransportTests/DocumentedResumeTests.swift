import Foundation
import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// The documents' resumed download: 31.67 MB in 5 chunks, continued at 33,210,996.
///
/// Saves of this cache are smaller than two of those chunks, so they are put there. What goes on with
/// them is the built program, and it is killed.
@Suite("The documents' five chunks are gone on with where they end (C8)", .serialized)
struct DocumentedResumeTests {
    private static let video = videoBytes(40_000_000, seed: 33)
    private static let offsets = [0, 13_201, 65_536, 195_222, 11_132_328, 33_210_996]

    @Test(arguments: [StorageLayout.file, .rows]) func fiveChunks(layout: StorageLayout) throws {
        let gate = DispatchSemaphore(value: 0)
        let origin = try TestOrigin.video(Self.video) { request, reply in
            if request.range?.first == 33_210_996 {
                (reply.pausesAfter, reply.gate) = (2_000_000, gate)
            }
        }
        let cache = try TemporaryCache(layout: layout)
        try cache.seed(
            origin.url, Self.video, zip(Self.offsets, Self.offsets.dropFirst()).map { $0..<$1 })
        let range = ByteRange(offset: 0, length: 33_210_996)
        #expect(try cache.cache.cachedRanges(of: origin.url).ranges == [range])
        try cache.cache.close()
        let fetch = ["fetch", origin.url, "--cache", cache.folder]
        let process = try BuiltDownloader.start(fetch)
        func cachedBytes() -> Int64 {
            let look = try? VideoCache(folder: cache.folder, access: .readOnly)
            defer { try? look?.close() }
            return (try? look?.cachedBytes(of: origin.url)) ?? 0
        }
        let threshold: Int64 = 512 << 10
        try blockUntil("all but a threshold is saved (B1)", every: .milliseconds(20)) {
            cachedBytes() >= range.length + 2_000_000 - threshold
        }
        #expect(kill(process.processIdentifier, SIGKILL) == 0)
        process.waitUntilExit()
        gate.signal()
        let saved = cachedBytes()
        let output = cache.folder + "-video"
        defer { try? FileManager.default.removeItem(atPath: output) }
        #expect(try BuiltDownloader.run(fetch + ["--output", output]).exitCode == 0)
        #expect(FileManager.default.contents(atPath: output) == Data(Self.video))
        #expect(origin.ranges == ["bytes=33210996-", "bytes=\(saved)-"])
    }
}
