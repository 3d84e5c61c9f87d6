import Foundation
import Synchronization
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// The saved list as an application sees it (O3, O4, O5, O7, O8).
@Suite struct LocalVideoLibraryTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let time = Mutex(someTime)

        var now: Date { time.withLock { $0 } }
        func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
    }

    private let store = InMemoryVideoStore()
    private let clock = Clock()

    private var library: LocalVideoLibrary {
        let clock = clock
        return LocalVideoLibrary(
            store: store, policy: LibraryCachePolicy(timeZone: .gmt), now: { clock.now })
    }

    @Test func anAbsentListLoadsAsEmpty() throws {
        #expect(try library.load() == [])
        #expect(try library.state() == .absent)
    }

    @Test func aSavedListIsGoodUntilItIsSevenDaysOld() throws {
        try library.save(libraryVideos(3))
        #expect(try library.load() == libraryVideos(3))
        clock.advance(7 * 86_400 - 1)
        #expect(try library.load() == libraryVideos(3))
        clock.advance(1)
        #expect(try library.load() == [])
        // Loading an expired list does not delete it: if the clock is set right, it is valid again.
        let list = CachedVideoList(videos: libraryVideos(3), timestamp: someTime)
        #expect(try library.state() == .expired(list))
        clock.advance(-1)
        #expect(try library.state() == .valid(list))
    }

    @Test func aSavedListReplacesTheOldOneAndItsTime() throws {
        try library.save(libraryVideos(3))
        clock.advance(6 * 86_400)
        try library.save(libraryVideos(2, seed: 2))
        clock.advance(6 * 86_400)
        #expect(try library.load() == libraryVideos(2, seed: 2))
        try library.clear()
        #expect(try library.state() == .absent)
    }

    private struct FullStore: VideoStore {
        func deleteCachedVideos() throws(LibraryError) { Issue.record("a save deletes no list") }
        func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
            throw .diskFull(path: "p")
        }
        func retrieve() throws(LibraryError) -> CachedVideoList? { nil }
        func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
            throw .diskFull(path: "p")
        }
    }

    private let silent = TransportError.timedOut(url: "u")

    @Test func whatIsLoadedIsSavedBeforeTheLoadIsOver() throws {
        let saving = SavingVideoListLoader(
            ListSource(result: .success(libraryVideos(3))), into: library)
        var kept: [LibraryVideo] = []
        let loaded = try saving.load { videos in
            kept = try library.load()
            #expect(kept == videos)
        }
        #expect(loaded == libraryVideos(3))
        #expect(kept == loaded)
    }

    @Test func aFailedLoadSavesNothing() throws {
        try library.save(libraryVideos(3))
        let saving = SavingVideoListLoader(
            ListSource(result: .failure(silent)), into: library)
        #expect(throws: silent) { try saving.load() }
        #expect(try library.load() == libraryVideos(3))
    }

    @Test func aListThatCannotBeSavedIsNotLoaded() throws {
        let full = LocalVideoLibrary(store: FullStore(), now: { someTime })
        let source = ListSource(result: .success(libraryVideos(2)))
        let saving = SavingVideoListLoader(source, into: full)
        #expect(throws: LibraryError.diskFull(path: "p")) { try saving.load() }
    }

    @Test func remoteFirstAndTheSavedListWhenThatFails() throws {
        try library.save(libraryVideos(3))
        let told = Mutex(0)
        func loader(_ result: Result<[LibraryVideo], TransportError>) -> FallbackVideoListLoader {
            FallbackVideoListLoader(
                ListSource(result: result), fallback: library,
                onFailure: { _ in told.withLock { $0 += 1 } })
        }
        #expect(try loader(.success(libraryVideos(1, seed: 2))).load() == libraryVideos(1, seed: 2))
        #expect(told.withLock { $0 } == 0)
        #expect(try loader(.failure(silent)).load() == libraryVideos(3))
        #expect(told.withLock { $0 } == 1)
        clock.advance(7 * 86_400)
        #expect(try loader(.failure(silent)).load() == [])
        #expect(throws: TransportError.cancelled) { try loader(.failure(.cancelled)).load() }
        #expect(told.withLock { $0 } == 2)
    }
}
