import Foundation
import Testing

@testable import VideoCache

/// Of a chunk that was verified, the wanted blocks are read, and only verified bytes are served
/// (C5).
@Suite struct VerifiedChunksTests {
    private static let block = 64 << 10
    private static let chunk = 8 * block

    private let folder = TemporaryFolder()
    private let bytes = videoBytes(2 * chunk)

    private func filled(capacity: Int64? = nil) throws -> (SQLiteChunkStore, CachedVideo) {
        let store = try SQLiteChunkStore(folder: folder.path, layout: .file, capacity: capacity)
        let video = try store.anyVideo()
        try store.save(bytes, inChunksOf: Self.chunk, of: video)
        return (store, video)
    }

    private func read(_ part: Range<Int>, _ store: SQLiteChunkStore) throws -> [UInt8] {
        try VideoCache(store: store).served(
            ByteRange(from: Int64(part.lowerBound), to: Int64(part.upperBound))
        ).bytes
    }

    private func damage(at position: Int) throws {
        try OpenFile.damage(folder.file("data/1"), at: Int64(position))
    }

    @Test func partsAreOfTheVideo() throws {
        let (store, _) = try filled()
        let ends = [0, 1, Self.block - 1, Self.block, Self.block + 1, 3 * Self.block, Self.chunk]
        for start in ends {
            for end in ends.map({ $0 + Self.chunk }) + ends where end > start {
                #expect(try read(start..<end, store) == Array(bytes[start..<end]))
            }
        }
    }

    /// Proves that later reads leave the other blocks alone: they are damaged by then.
    @Test func onlyTheWantedBlocksAreRead() throws {
        let (store, _) = try filled()
        let wanted = Self.block + 10..<2 * Self.block - 10
        #expect(try read(wanted, store) == Array(bytes[wanted]))
        try damage(at: Self.block - 1)
        try damage(at: 2 * Self.block)
        #expect(try read(wanted, store) == Array(bytes[wanted]))
        #expect(try read(2 * Self.block..<2 * Self.block + 10, store) == [])
        let other = try SQLiteChunkStore(folder: folder.path, layout: .file)
        #expect(try read(wanted, other) == [], "the first read is of the whole chunk")
        #expect(try read(Self.chunk..<Self.chunk + 10, store).count == 10)
    }

    @Test func aDamagedBlockIsNotServed() throws {
        let (store, _) = try filled()
        #expect(try read(0..<100, store) == Array(bytes[..<100]))
        try damage(at: 99)
        #expect(try read(0..<100, store) == [])
        #expect(try read(0..<50, store) == [])
    }

    /// A part of the first chunk, as a reader of this version asks for it.
    private func part(of video: CachedVideo, _ store: SQLiteChunkStore) throws -> StoredChunk? {
        var ahead = ChunksAhead(until: 100)
        return try store.chunk(of: video, from: 0, ahead: &ahead)
    }

    // Dropped bytes are freed at once. They are put back here, as if they were not.
    @Test(arguments: [false, true])
    func whatWasDroppedIsNotServedEvenWhileItsBytesAreThere(isWholeVideo: Bool) throws {
        let (store, video) = try filled()
        #expect(try part(of: video, store)?.range.length == Int64(Self.chunk))
        #expect(try part(of: video, store)?.range.length == Int64(Self.block))
        if isWholeVideo {
            try store.remove(video)
        } else {
            try store.discard(ByteRange(from: 0, to: 10), of: video)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("data/1")))
        #expect(try part(of: video, store)?.range.contains(0) != true)
    }

    @Test func whatAnotherProcessHasRemovedIsNotServed() throws {
        let (store, video) = try filled()
        #expect(try part(of: video, store) != nil)
        #expect(try part(of: video, store)?.range.length == Int64(Self.block))
        try SQLiteChunkStore(folder: folder.path, layout: .file).remove(video)
        #expect(try part(of: video, store) == nil)
    }

    @Test func aPartIsOfWholeBlocks() {
        let chunk = ByteRange(offset: 1000, length: 8 << 16)
        func part(_ offset: Int64, _ end: Int64) -> ByteRange? {
            VerifiedChunks.part(of: chunk, from: offset, until: end)
        }
        #expect(part(1000, 1001) == ByteRange(offset: 1000, length: 1 << 16))
        #expect(part(0, 66536) == ByteRange(offset: 1000, length: 1 << 16))
        #expect(part(66536, 66537) == ByteRange(offset: 66536, length: 1 << 16))
        #expect(part(66535, 66537) == ByteRange(offset: 1000, length: 2 << 16))
        #expect(
            part(chunk.end - 1, chunk.end) == ByteRange(from: chunk.end - 1 << 16, to: chunk.end))
        #expect(part(1000, chunk.end) == nil, "all of it")
        #expect(part(2000, chunk.end + 1) == nil, "more than it")
        #expect(part(2000, 2000) == nil, "nothing")
        #expect(part(70_000, 2000) == nil, "behind the end")
        #expect(part(0, 1000) == nil, "before it")
        let last = ByteRange(from: Int64.max - 200_000, to: Int64.max - 1)
        let found = VerifiedChunks.part(of: last, from: last.end - 1, until: last.end)
        #expect(found?.end == last.end)
    }

    /// The same bytes were dropped, and saved again in chunks of other lengths.
    @Test func chunksOfOtherLengthsTakeTheirPlace() throws {
        let (store, video) = try filled()
        let places = stride(from: 0, to: 2 * Self.chunk, by: Self.block).map { $0..<$0 + 100 }
        for place in places { #expect(try read(place, store) == Array(bytes[place])) }
        try store.discard(ByteRange(from: 0, to: Int64(2 * Self.chunk)), of: video)
        let ends = [0, Self.chunk / 2, Self.chunk + 5, 2 * Self.chunk - 7, 2 * Self.chunk]
        for (start, end) in zip(ends, ends.dropFirst()) {
            _ = try store.save(Array(bytes[start..<end]), at: Int64(start), of: video)
        }
        for _ in 0..<2 {
            for place in places { #expect(try read(place, store) == Array(bytes[place])) }
        }
    }

    /// Two chunks within one block's length: each position is found in its own.
    @Test func smallChunksAreFound() throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: .file)
        let video = try store.anyVideo()
        let ends = [0, 1000, Self.block + 1000, 3 * Self.block - 1, 3 * Self.block + 1]
        for (start, end) in zip(ends, ends.dropFirst()) {
            _ = try store.save(Array(bytes[start..<end]), at: Int64(start), of: video)
        }
        for _ in 0..<2 {
            for start in stride(from: 0, to: 3 * Self.block, by: 500) {
                let part = start..<min(start + 500, 3 * Self.block + 1)
                #expect(try read(part, store) == Array(bytes[part]))
            }
        }
    }
}
