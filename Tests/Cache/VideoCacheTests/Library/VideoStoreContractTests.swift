import Foundation
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// What every store of the list promises (O1, O2, O4); each test runs against both.
@Suite struct VideoStoreContractTests {
    private let folder = TemporaryFolder()

    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case memory
        case sqlite

        var testDescription: String { rawValue }

        func make(in folder: TemporaryFolder) throws -> any VideoStore {
            switch self {
            case .memory: InMemoryVideoStore()
            case .sqlite: try SQLiteVideoStore(folder: folder.path)
            }
        }
    }

    private func expect(
        _ store: any VideoStore, holds videos: [LibraryVideo], at timestamp: Date
    ) throws {
        let list = try #require(try store.retrieve())
        #expect(list.videos == videos)
        #expect(abs(list.timestamp.timeIntervalSince(timestamp)) < 1e-6)
    }

    @Test(arguments: Kind.allCases)
    func aNewStoreHoldsNoList(kind: Kind) throws {
        let store = try kind.make(in: folder)
        #expect(try store.retrieve() == nil)
        #expect(try store.retrieve() == nil)
        try store.deleteCachedVideos()
        #expect(try store.retrieve() == nil)
    }

    @Test(arguments: Kind.allCases, [0, 1, 2, 500])
    func whatIsInsertedIsRetrievedInOrder(kind: Kind, count: Int) throws {
        let store = try kind.make(in: folder)
        let videos = Array(libraryVideos(count).reversed())
        try store.insert(videos, timestamp: someTime)
        try expect(store, holds: videos, at: someTime)
        try expect(store, holds: videos, at: someTime)
    }

    @Test(
        arguments: Kind.allCases,
        [-62_000_000_000.5, -1, 0, 0.000_001, 1_795_000_000.123_456, 250_000_000_000])
    func timestampsAreKeptToTheMicrosecond(kind: Kind, seconds: Double) throws {
        let store = try kind.make(in: folder)
        let timestamp = Date(timeIntervalSince1970: seconds)
        try store.insert([], timestamp: timestamp)
        try expect(store, holds: [], at: timestamp)
    }

    @Test(
        arguments: Kind.allCases,
        [
            "", " ", "'; DROP TABLE library; --", "\"", "%s", "naïve Ελλάδα 日本 👩‍👩‍👧‍👦",
            "e\u{301}", "line\nbreak\r\n\ttab", "1e5", "NULL", "\u{FEFF}mark", "\u{FFFD}\u{10FFFF}",
            String(repeating: "x", count: 100_000),
        ])
    func textsAreKeptToTheByte(kind: Kind, text: String) throws {
        let store = try kind.make(in: folder)
        var video = libraryVideos(1)[0]
        video.title = text
        video.description = text
        video.url = text
        video.thumbnailURL = text
        try store.insert([video], timestamp: someTime)
        let found = try #require(try store.retrieve()?.videos.first)
        #expect(found == video)
        for kept in [found.title, found.description, found.url, found.thumbnailURL] {
            #expect(kept.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test(arguments: Kind.allCases)
    func aListIsNotInsertedOverAnother(kind: Kind) throws {
        let store = try kind.make(in: folder)
        try store.insert(libraryVideos(2), timestamp: someTime)
        #expect(throws: LibraryError.listExists) {
            try store.insert(libraryVideos(3, seed: 2), timestamp: someTime + 1)
        }
        try expect(store, holds: libraryVideos(2), at: someTime)
    }

    @Test(arguments: Kind.allCases)
    func anEmptyListIsAListToo(kind: Kind) throws {
        let store = try kind.make(in: folder)
        try store.insert([], timestamp: someTime)
        #expect(throws: LibraryError.listExists) { try store.insert([], timestamp: someTime) }
    }

    @Test(arguments: Kind.allCases)
    func aDeletedListIsGoneAndAnotherMayCome(kind: Kind) throws {
        let store = try kind.make(in: folder)
        try store.insert(libraryVideos(5), timestamp: someTime)
        try store.deleteCachedVideos()
        #expect(try store.retrieve() == nil)
        try store.insert(libraryVideos(1, seed: 2), timestamp: someTime + 1)
        try expect(store, holds: libraryVideos(1, seed: 2), at: someTime + 1)
    }

    @Test(arguments: Kind.allCases)
    func aListReplacesNoneOrAnother(kind: Kind) throws {
        let store = try kind.make(in: folder)
        for (seed, count) in [(1, 4), (2, 9), (3, 0), (4, 2), (4, 2)] as [(UInt64, Int)] {
            let (videos, timestamp) = (libraryVideos(count, seed: seed), someTime + Double(seed))
            try store.replace(with: videos, timestamp: timestamp)
            try expect(store, holds: videos, at: timestamp)
        }
    }

    /// Lists that no store can return exactly, with a word of the error's text.
    static let unstorable: [(list: CachedVideoList, word: String)] = {
        let videos = libraryVideos(3)
        let list = CachedVideoList(videos: videos, timestamp: someTime)
        var (twice, endless, null) = (list, list, list)
        twice.videos.append(videos[1])
        endless.videos[2].duration = .infinity
        null.videos[0].title = "a\0b"
        let never = CachedVideoList(videos: videos, timestamp: Date(timeIntervalSince1970: .nan))
        return [(twice, "two videos"), (endless, "duration"), (null, "null"), (never, "timestamp")]
    }()

    @Test(arguments: Kind.allCases, unstorable.indices)
    func aListThatCannotBeKeptIsRefusedAndTheOldOneStays(kind: Kind, index: Int) throws {
        let (list, word) = Self.unstorable[index]
        let store = try kind.make(in: folder)
        let refused = { (error: any Error) in
            guard case .unstorable(let reason) = error as? LibraryError else { return false }
            return reason.contains(word)
        }
        #expect(
            performing: { try store.insert(list.videos, timestamp: list.timestamp) },
            throws: refused)
        #expect(try store.retrieve() == nil)
        try store.insert(libraryVideos(2), timestamp: someTime)
        #expect(
            performing: { try store.replace(with: list.videos, timestamp: list.timestamp) },
            throws: refused)
        try expect(store, holds: libraryVideos(2), at: someTime)
    }

    /// Writers replace each other's lists while readers look: a reader sees one whole list.
    @Test(arguments: Kind.allCases)
    func readersSeeOneListWholeWhileOthersReplaceIt(kind: Kind) async throws {
        let store = try kind.make(in: folder)
        let lists = (0..<4).map { libraryVideos(3 + $0 * 5, seed: UInt64($0 + 1)) }
        try store.replace(with: lists[0], timestamp: someTime)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    for round in 0..<50 {
                        let number = (writer * 2 + round) % lists.count
                        try store.replace(with: lists[number], timestamp: someTime + Double(number))
                    }
                }
                group.addTask {
                    for _ in 0..<50 {
                        let found = try #require(try store.retrieve())
                        let number = Int(found.timestamp.timeIntervalSince(someTime).rounded())
                        #expect(found.videos == lists[number])
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
