import Foundation
import Testing

@testable import VideoCache

/// A reference model of a cache: a list of chunks, in a few obvious lines.
private struct Model {
    struct Piece {
        var video: Int64
        var range: ByteRange
        var used: Int
    }

    let capacity: Int64
    var pieces: [Piece] = []
    var clock = 0

    var total: Int64 { pieces.reduce(0) { $0 + $1.range.length } }

    func ranges(_ video: Int64) -> ByteRangeSet {
        ByteRangeSet(pieces.filter { $0.video == video }.map(\.range))
    }

    mutating func use(_ range: ByteRange, _ video: Int64) {
        clock += 1
        for index in pieces.indices
        where pieces[index].video == video && pieces[index].range.overlaps(range) {
            pieces[index].used = clock
        }
    }

    /// True if there was room.
    mutating func save(_ range: ByteRange, _ video: Int64) -> Bool {
        let gaps = ranges(video).gaps(in: range)
        let new = gaps.reduce(0) { $0 + $1.length }
        var left = self
        while left.total + new > capacity {
            let candidates = left.pieces.indices.filter {
                left.pieces[$0].video != video || !left.pieces[$0].range.overlaps(range)
            }
            guard
                let oldest = candidates.min(by: {
                    let (a, b) = (left.pieces[$0], left.pieces[$1])
                    return (a.used, a.video, a.range.offset) < (b.used, b.video, b.range.offset)
                })
            else { return false }
            left.pieces.remove(at: oldest)
        }
        for gap in gaps {
            left.clock += 1
            left.pieces.append(Piece(video: video, range: gap, used: left.clock))
        }
        self = left
        return true
    }

    mutating func discard(_ range: ByteRange, _ video: Int64) {
        pieces.removeAll { $0.video == video && $0.range.overlaps(range) }
    }

    mutating func remove(_ video: Int64) { pieces.removeAll { $0.video == video } }
}

@Suite("A thousand random operations leave what a plain model says (C1, C2, C6)")
struct StoreModelTests {
    let folder = TemporaryFolder()

    private static let capacity: Int64 = 60_000
    private static let content = videoBytes(80_000)

    /// Bytes of a video; another id is another video or version, and has other bytes.
    private func bytes(_ range: ByteRange, _ video: CachedVideo) -> [UInt8] {
        let shift = Int(video.id * 131 % 40_000)
        return Array(Self.content[Int(range.offset) + shift..<Int(range.end) + shift])
    }

    private func open(_ layout: StorageLayout) throws -> SQLiteChunkStore {
        try SQLiteChunkStore(folder: folder.path, layout: layout, capacity: Self.capacity)
    }

    private func expectSame(_ store: SQLiteChunkStore, _ model: Model, _ context: Comment) throws {
        for video in try store.videos() {
            #expect(try store.ranges(of: video) == model.ranges(video.id), context)
            var position: Int64 = 0
            while let chunk = try store.chunk(of: video, from: position) {
                #expect(chunk.bytes == bytes(chunk.range, video), context)
                position = chunk.range.end
            }
        }
        #expect(try store.cachedBytes() == model.total, context)
        #expect(
            try CacheAudit(folder: folder.path, capacity: Self.capacity).complaints == [], context)
    }

    @Test(arguments: UInt64(1)...6, StorageLayout.allCases)
    func random(seed: UInt64, layout: StorageLayout) throws {
        var generator = SeededGenerator(state: seed)
        var model = Model(capacity: Self.capacity)
        var store = try open(layout)
        for step in 0..<170 {
            let url = "\(Int.random(in: 0..<6, using: &generator))"
            let range = ByteRange(
                offset: Int64.random(in: 0..<30_000, using: &generator),
                length: Int64.random(in: 1...9_000, using: &generator))
            let video = try store.video(url: url) ?? store.anyVideo(url)
            switch Int.random(in: 0..<20, using: &generator) {
            case 0, 1:
                try store.discard(range, of: video)
                model.discard(range, video.id)
            case 9:
                // Nothing is damaged, so nothing is dropped.
                try store.dropDamaged(in: range, of: video)
            case 2:
                try store.remove(video)
                model.remove(video.id)
            case 3, 4:
                let facts = ContentInformation(
                    length: nil, acceptsRanges: true, etag: "\"\(step)\"")
                let new = try store.replace(video, with: facts, holding: []).video
                model.remove(video.id)
                try save(range, new, store, &model)
            case 5:
                try store.close()
                store = try open(layout)
            case 6, 7, 8:
                store.noteUse(of: range, in: video)
                model.use(range, video.id)
                try save(ByteRange(offset: range.end, length: range.length), video, store, &model)
            default: try save(range, video, store, &model)
            }
            if step % 10 == 0 { try expectSame(store, model, "seed \(seed), step \(step)") }
        }
        try store.close()
        try expectSame(try open(layout), model, "seed \(seed), at the end")
    }

    private func save(
        _ range: ByteRange, _ video: CachedVideo, _ store: SQLiteChunkStore, _ model: inout Model
    ) throws {
        let hadRoom = model.save(range, video.id)
        do {
            try store.save(bytes(range, video), at: range.offset, of: video)
            #expect(hadRoom)
        } catch CacheError.noRoom {
            #expect(!hadRoom)
        }
    }
}
