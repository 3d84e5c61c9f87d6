import Foundation
import Synchronization
import TestSupport
import Testing
import VideoCache

@testable import CurlTransport

/// With less free disk space than the reserve, requests that begin are not saved (S6).
@Suite struct LowDiskTests {
    private final class Free: Sendable {
        private let bytes: Mutex<Int64?>

        init(_ bytes: Int64?) { self.bytes = Mutex(bytes) }
        var value: Int64? { bytes.withLock { $0 } }
        func set(_ value: Int64?) { bytes.withLock { $0 = value } }
    }

    private let place: TemporaryCache
    private let bytes = videoBytes(900_000)

    init() throws { place = try TemporaryCache() }

    private func cache(_ free: Free) -> VideoCache {
        VideoCache(
            store: place.store,
            reserve: DiskReserve(folder: place.folder, bytes: 1000) { _ in free.value })
    }

    private func loader(_ free: Free, _ observer: Ledger = Ledger()) -> VideoLoader {
        VideoLoader(
            cache: cache(free), transport: quickTransport(), options: .init(retry: .none),
            observer: observer)
    }

    @Test func playingGoesOnUnsavedUntilThereIsRoomAgain() throws {
        let origin = try TestOrigin.video(bytes)
        let free = Free(999)
        for (left, cached) in [(999, 0), (1000, 900_000), (0, 900_000)] as [(Int64, Int64)] {
            free.set(left)
            let loader = loader(free)
            #expect(try loader.reader(of: origin.url, range: nil).all() == bytes)
            loader.close()
            #expect(try place.cache.cachedBytes(of: origin.url) == cached, "\(left)")
        }
    }

    @Test func aFetchThatCouldNotBeSavedFails() throws {
        let origin = try TestOrigin.video(bytes)
        let low = CacheError.diskLow(path: place.folder, free: 999, reserve: 1000)
        #expect(throws: low) {
            try Download(url: origin.url, cache: cache(Free(999)), transport: quickTransport())
                .run()
        }
        #expect(low.description.contains("; free disk space"))
        #expect(try place.cache.cachedBytes(of: origin.url) == 0)
    }

    /// A request that has begun is saved to its end, also its remainder (S2).
    @Test func aRequestThatHasBegunIsSaved() throws {
        let gate = DispatchSemaphore(value: 0)
        let origin = try TestOrigin.video(bytes) { _, reply in
            if reply.body.count > 2 { (reply.pausesAfter, reply.gate) = (600_000, gate) }
        }
        let free = Free(nil)
        let (loader, url) = (loader(free), origin.url)
        let reader = loader.reader(of: url, range: nil)
        let first = try reader.bytes(atLeast: 600_000)
        free.set(0)
        gate.signal()
        #expect(try first + reader.all() == bytes)
        loader.close()
        #expect(try place.cache.cachedBytes(of: url) == 900_000)
    }

    @Test func theSystemTellsTheFreeSpace() throws {
        let free = try #require(DiskReserve.freeBytes(of: place.folder))
        #expect(free > 0)
        #expect(DiskReserve.freeBytes(of: place.folder + "/none") == nil)
    }
}
