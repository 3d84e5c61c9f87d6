import Testing

@testable import VideoCache

/// The record of uses between two saves is bounded, and drops the oldest when full.
///
/// No test used to notice if it dropped the newest instead: none used 1,025 separate ranges before
/// a save.
@Suite("A full book of uses forgets the oldest (C6)")
struct RecentUsesTests {
    private static let uses = 1025

    @Test("the newest use stays in the book")
    func newestStays() {
        var book = RecentUses()
        for number in 0..<Self.uses { book.note(Self.range(number), ofVideo: 1) }
        #expect(book.uses.count == RecentUses.capacity)
        #expect(book.uses.first?.range == Self.range(1))
        #expect(book.uses.last?.range == Self.range(Self.uses - 1))
    }

    @Test("the book stays small, and in order, however many uses come")
    func manyUses() {
        var book = RecentUses()
        for number in 0..<5 * RecentUses.capacity {
            book.note(Self.range(number), ofVideo: 1)
            #expect(book.kept <= 2 * RecentUses.capacity)
        }
        let newest = 4 * RecentUses.capacity..<5 * RecentUses.capacity
        #expect(book.uses.map(\.range) == newest.map(Self.range))
    }

    @Test("bytes that were used again count once, as used last")
    func usedAgain() {
        var book = RecentUses()
        for number in [1, 2, 3] { book.note(Self.range(number), ofVideo: 1) }
        book.note(Self.range(2), ofVideo: 2)
        book.note(Self.range(1), ofVideo: 1)
        book.note(ByteRange(from: 250, to: 320), ofVideo: 1)
        #expect(
            book.uses.map(\.range) == [
                Self.range(2), Self.range(2), Self.range(1), ByteRange(from: 250, to: 320),
            ])
        #expect(book.uses.map(\.video) == [1, 2, 1, 1])
        book.forget(upTo: book.uses[1].number)
        #expect(book.uses.map(\.range) == [Self.range(1), ByteRange(from: 250, to: 320)])
        #expect(!book.isEmpty)
    }

    @Test("and is not evicted by the next save", arguments: StorageLayout.allCases)
    func newestIsKept(layout: StorageLayout) throws {
        let folder = TemporaryFolder()
        let capacity = Int64(Self.uses * 10)
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: capacity)
        let video = try store.anyVideo()
        for number in 0..<Self.uses {
            try store.save(
                [UInt8](repeating: 7, count: 10), at: Self.range(number).offset, of: video)
        }
        // The chunk that was saved first is used last, as the 1,025th use.
        for number in 1..<Self.uses { store.noteUse(of: Self.range(number), in: video) }
        store.noteUse(of: Self.range(0), in: video)
        // Needs the room of one chunk.
        try store.save([UInt8](repeating: 8, count: 10), at: 1_000_000, of: video)
        let ranges = try store.ranges(of: video).ranges
        #expect(ranges.contains(Self.range(0)))
        // The use of this chunk is the one that was dropped.
        #expect(!ranges.contains(Self.range(1)))
        try store.close()
    }

    /// Ranges that neither touch nor overlap, so that they are not merged.
    private static func range(_ number: Int) -> ByteRange {
        ByteRange(offset: Int64(number) * 100, length: 10)
    }
}
