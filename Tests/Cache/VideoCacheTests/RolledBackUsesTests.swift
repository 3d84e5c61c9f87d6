import GRDB
import Synchronization
import Testing

@testable import VideoCache

/// The order of use is written by the save that follows, and forgotten once that is committed.
///
/// A save that was rolled back took the order of use with it: what had been read last was evicted
/// first.
@Suite("A save that fails loses nothing of the order of use (C6)")
struct RolledBackUsesTests {
    private let folder = TemporaryFolder()
    private let piece = videoBytes(10_000)
    private let first = ByteRange(from: 0, to: 10_000)

    /// Five videos of one piece each, which fill the cache; the second and then the first were used
    /// last.
    private func filled(_ layout: StorageLayout) throws -> SQLiteChunkStore {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: 50_000)
        for number in 0..<5 { try store.save(piece, at: 0, of: store.anyVideo("\(number)")) }
        for number in [1, 0] { store.noteUse(of: first, in: try store.anyVideo("\(number)")) }
        return store
    }

    /// Each of the first five videos goes in its turn.
    private func expectOrder(_ store: SQLiteChunkStore) throws {
        for (number, next) in [2, 3, 4, 1, 0].enumerated() {
            #expect(try store.held().contains("\(next)"))
            try store.save(piece, at: 0, of: store.anyVideo("new \(number)"))
            #expect(try !store.held().contains("\(next)"), "\(next) was used least recently")
        }
        try store.close()
        #expect(try CacheAudit(folder: folder.path, capacity: 50_000).complaints == [])
    }

    /// What makes a save or an eviction fail, once the uses were written.
    enum Failure: String, CaseIterable, Sendable {
        case noRoomAtAll, everythingIsRead, roomForAnother, theDatabaseRefuses, twice
    }

    private func fail(_ store: SQLiteChunkStore, by failure: Failure) throws {
        let other = try store.anyVideo("other")
        switch failure {
        case .noRoomAtAll:
            #expect(throws: CacheError.self) {
                try store.save(videoBytes(60_000), at: 0, of: other)
            }
        case .everythingIsRead, .roomForAnother:
            let holds = try store.videos().map { store.readers.hold(first, of: $0) }
            let refusal = CacheError.noRoom(path: store.path, capacity: 50_000)
            if failure == .roomForAnother {
                #expect(throws: refusal) { try store.makeRoom(for: [first], of: other) }
            } else {
                #expect(throws: refusal) { try store.save(piece, at: 20_000, of: other) }
            }
            withExtendedLifetime(holds) {}
        case .theDatabaseRefuses:
            try store.access { db in
                try db.execute(
                    sql: """
                        CREATE TEMP TRIGGER refuse BEFORE INSERT ON chunk BEGIN
                            SELECT RAISE(ABORT, 'not now');
                        END
                        """)
            }
            #expect(throws: CacheError.self) { try store.save(piece, at: 0, of: other) }
            try store.access { try $0.execute(sql: "DROP TRIGGER refuse") }
        case .twice:
            try fail(store, by: .noRoomAtAll)
            try fail(store, by: .everythingIsRead)
        }
    }

    @Test(arguments: StorageLayout.allCases, Failure.allCases)
    func theOrderStays(layout: StorageLayout, failure: Failure) throws {
        let store = try filled(layout)
        try fail(store, by: failure)
        #expect(try store.held() == ["0", "1", "2", "3", "4"])
        #expect(store.uses.withLock { $0.uses.count } == 2, "they are to be written still")
        try expectOrder(store)
    }

    /// A use that comes after the failed save is the newest.
    @Test(arguments: StorageLayout.allCases)
    func laterUsesFollow(layout: StorageLayout) throws {
        let store = try filled(layout)
        try fail(store, by: .everythingIsRead)
        store.noteUse(of: first, in: try store.anyVideo("2"))
        for number in 0..<4 { try store.save(piece, at: 0, of: store.anyVideo("new \(number)")) }
        #expect(try store.held() == ["2", "new 0", "new 1", "new 2", "new 3"])
    }

    /// A close writes the order, too, and another launch finds it.
    @Test(arguments: StorageLayout.allCases)
    func theNextLaunchKnowsTheOrder(layout: StorageLayout) throws {
        let store = try filled(layout)
        try fail(store, by: .everythingIsRead)
        try store.close()
        try expectOrder(try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: 50_000))
    }

    /// What is committed is forgotten, so that an old use does not come back over a newer one.
    @Test(arguments: StorageLayout.allCases)
    func whatIsCommittedIsForgotten(layout: StorageLayout) throws {
        let store = try filled(layout)
        try store.save(piece, at: 0, of: store.anyVideo("5"))
        #expect(store.uses.withLock { $0.isEmpty })
        #expect(try store.held() == ["0", "1", "3", "4", "5"])
        // Another launch of the same cache uses the others meanwhile.
        let other = try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: 50_000)
        for number in [3, 4] { other.noteUse(of: first, in: try other.anyVideo("\(number)")) }
        try other.save([1], at: 0, of: other.anyVideo("small"))
        #expect(try store.held() == ["0", "3", "4", "5", "small"])
        try store.save(piece, at: 0, of: store.anyVideo("6"))
        #expect(try store.held() == ["3", "4", "5", "small", "6"])
    }
}
