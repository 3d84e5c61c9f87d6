import GRDB
import Testing

@testable import VideoCache

/// Video ids used to be reused after a clear, and a save trusted the id read at its download's
/// start.
///
/// `fetch A`, `clear`, `fetch B` stored A's bytes under B's name.
@Suite("A save never lands in another video, or in another version (B5)")
struct ReplacedVideoTests {
    let folder = TemporaryFolder()
    let store: SQLiteChunkStore

    init() throws { store = try SQLiteChunkStore(folder: folder.path) }

    private func facts(
        etag: String? = "\"v1\"", length: Int64? = 100, date: String? = nil
    ) -> ContentInformation {
        ContentInformation(length: length, acceptsRanges: true, etag: etag, lastModified: date)
    }

    @Test("after a clear the next video has another number, and the old save fails")
    func clearedMeanwhile() throws {
        let old = try store.anyVideo("a", length: 100)
        try store.removeAll()
        let new = try store.anyVideo("b", length: 100)
        #expect(new.id != old.id)
        #expect(throws: CacheError.replaced(url: "a")) { try store.save([1, 2], at: 0, of: old) }
        #expect(throws: CacheError.replaced(url: "a")) {
            try store.discard(ByteRange(offset: 0, length: 1), of: old)
        }
        #expect(try store.ranges(of: new).isEmpty)
    }

    @Test("the same address after a clear is another video")
    func fetchedAgain() throws {
        let old = try store.store(facts(), url: "a")
        try store.remove(old)
        let new = try store.store(facts(), url: "a")
        #expect(throws: CacheError.replaced(url: "a")) { try store.save([1, 2], at: 0, of: old) }
        #expect(try store.ranges(of: new).isEmpty)
    }

    @Test(
        "another version takes nothing of the old one, and the old one's saves fail",
        arguments: [
            ContentInformation(length: 100, acceptsRanges: true, etag: "\"v2\""),
            ContentInformation(length: 101, acceptsRanges: true, etag: "\"v1\""),
        ])
    func otherVersion(other: ContentInformation) throws {
        let old = try store.store(facts(), url: "a")
        try store.save([1, 2, 3], at: 0, of: old)
        let new = try store.store(other, url: "a")
        #expect(try store.ranges(of: new).isEmpty)
        #expect(throws: CacheError.replaced(url: "a")) { try store.save([4], at: 3, of: old) }
        #expect(try store.save([9], at: 0, of: new) == 1)
    }

    @Test("without tags another date is another version")
    func otherDate() throws {
        let old = try store.store(facts(etag: nil, date: "Fri"), url: "a")
        _ = try store.store(facts(etag: nil, date: "Sat"), url: "a")
        #expect(throws: CacheError.replaced(url: "a")) { try store.save([4], at: 3, of: old) }
    }

    @Test("a tag that was learned since may be another version's")
    func tagLearned() throws {
        let old = try store.store(facts(etag: nil), url: "a")
        let new = try store.store(facts(), url: "a")
        #expect(new.id == old.id)
        #expect(throws: CacheError.replaced(url: "a")) { try store.save([4], at: 3, of: old) }
    }

    @Test("a number is not trusted where another program gave it again")
    func numberGivenAgain() throws {
        let old = try store.store(facts(), url: "a")
        try store.access {
            try $0.execute(sql: "UPDATE video SET url = 'b' WHERE id = ?", arguments: [old.id])
        }
        #expect(throws: CacheError.replaced(url: "a")) { try store.save([4], at: 3, of: old) }
    }

    /// A player that looked for a chunk just before it was saved took it for damaged.
    ///
    /// If the length was learnt meanwhile, it failed with "was cleared or replaced; fetch again".
    @Test("a repair needs only the number, not what was known before")
    func repairedMeanwhile() throws {
        let early = try store.store(facts(etag: nil, length: nil, date: "Fri"), url: "a")
        try store.save([1, 2, 3], at: 0, of: early)
        _ = try store.store(facts(etag: nil, date: "Fri"), url: "a")
        try store.dropDamaged(in: ByteRange(offset: 0, length: 3), of: early)
        #expect(try store.ranges(of: early).byteCount == 3)
        #expect(try store.mend(early) == nil)
    }

    @Test("a length that another download found out replaces nothing where the tag is the same")
    func lengthFoundOut() throws {
        let early = try store.store(facts(length: nil), url: "a")
        _ = try store.store(facts(), url: "a")
        #expect(try store.save([1], at: 0, of: early) == 1)
    }
}
