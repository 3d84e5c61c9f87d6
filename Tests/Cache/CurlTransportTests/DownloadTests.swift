import Foundation
import Testing
import VideoCache

@testable import CurlTransport

@Suite("Downloading what is missing (B1, B2, C3, C8, S2, T6)", .serialized)
struct DownloadTests {
    let cache: TemporaryCache

    init() throws { cache = try TemporaryCache() }

    @Test("an unknown video is probed with bytes 0-1, then fetched (C3)") func fresh() throws {
        let bytes = videoBytes(1_300_000)
        let origin = try TestOrigin.video(bytes)
        let ledger = Ledger()
        let summary = try cache.download(origin.url, observer: ledger).run()
        #expect(summary.isComplete && summary.storedBytes == 1_300_000)
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
        #expect(origin.ranges == ["bytes=0-1", "bytes=0-"])
        #expect(ledger.requests.map(\.received) == [2, 1_300_000])
        #expect(ledger.requests.map(\.acknowledged) == [0, 1_300_000])
        #expect(ledger.requests.map(\.end) == [.complete, .complete])
        let facts = try cache.cache.video(origin.url)?.information
        #expect(
            facts
                == ContentInformation(
                    length: 1_300_000, mimeType: "video/mp4", acceptsRanges: true, etag: "\"v1\""))
    }

    @Test("a relaunch asks for what is missing and nothing else (C8)") func resumes() throws {
        let bytes = videoBytes(900_000)
        let origin = try TestOrigin.video(bytes)
        try cache.seed(origin.url, bytes, [0..<200_000, 300_000..<400_000])
        let summary = try cache.download(origin.url).run()
        #expect(summary.isComplete && summary.storedBytes == 600_000)
        #expect(origin.ranges == ["bytes=200000-299999", "bytes=400000-"])
        #expect(origin.requests.allSatisfy { $0.headers["if-range"] == "\"v1\"" })
        #expect(try cache.bytes(of: origin.url, count: bytes.count) == bytes)
        #expect(try cache.download(origin.url).run().requests == 0, "complete: nothing is asked")
    }

    @Test(
        "at every instant at most the threshold is unacknowledged (B1)",
        arguments: [64 << 10, 256 << 10, 512 << 10])
    func strictBound(threshold: Int) throws {
        let origin = try TestOrigin.video(videoBytes(3_000_000))
        let policy = try SavePolicy(threshold: threshold, allowingSmall: true)
        let ledger = Ledger()
        _ = try cache.download(origin.url, schedule: policy, observer: ledger).run()
        #expect(ledger.worstUnacknowledged <= threshold)
        #expect(ledger.worstUnacknowledged > threshold - policy.readSize)
    }

    /// Checks the threshold only after the next read: the bug that breaks B1 by up to one read.
    private struct LateSchedule: SaveSchedule {
        let threshold: Int
        let readSize = 16 << 10
        var capacity: Int? { threshold + readSize }
        func shouldSave(unsaved: Int) -> Bool { unsaved > threshold }
    }

    @Test("the ledger catches a threshold that is checked too late")
    func lateScheduleIsCaught() throws {
        let origin = try TestOrigin.video(videoBytes(3_000_000))
        let ledger = Ledger()
        _ = try cache.download(
            origin.url, schedule: LateSchedule(threshold: 256 << 10), observer: ledger
        ).run()
        #expect(ledger.worstUnacknowledged > 256 << 10)
    }

    @Test("cancelled before the first byte: clean (T6)") func cancelledBeforeTheFirstByte() throws {
        let origin = try TestOrigin.video([1, 2, 3])
        let cancellation = Cancellation()
        cancellation.cancel()
        let summary = try cache.download(origin.url, cancellation: cancellation).run()
        #expect(summary.isCancelled && summary.cachedBytes == 0)
        #expect(origin.requests.isEmpty)
    }

    @Test("disabled saves nothing while the request runs, and all when it is cancelled (B2, S2)")
    func disabled() throws {
        let origin = try TestOrigin.video(videoBytes(3_000_000))
        let cancellation = Cancellation()
        let (folder, url) = (cache.cache, origin.url)
        let ledger = Ledger { request in
            #expect((try? folder.cachedBytes(of: url)) == 0)
            if request.received > 2_000_000 { cancellation.cancel() }
        }
        let summary = try cache.download(
            url, schedule: SavePolicy.disabled, observer: ledger, cancellation: cancellation
        ).run()
        #expect(summary.cachedBytes > 2_000_000 && summary.commits == 1)
        #expect(summary.cachedBytes == ledger.requests.last?.received)
    }
}
