import Foundation
import GRDB
import Testing

@testable import VideoCache

/// Sequential reads reuse rows from before and return bytes in place: neither may be wrong.
@Suite("Reading on from chunk to chunk (C1, C5)")
struct ReadingOnTests {
    let folder = TemporaryFolder()
    let bytes = videoBytes(40_000)
    let url = "http://127.0.0.1/v"

    /// Four chunks of 10,000 bytes.
    private func fill(_ layout: StorageLayout) throws -> (SQLiteChunkStore, CachedVideo) {
        let store = try SQLiteChunkStore(folder: folder.path, layout: layout)
        let video = try store.anyVideo(url, length: 40_000)
        try store.save(bytes, inChunksOf: 10_000, of: video)
        return (store, video)
    }

    /// Reads the first two chunks; the lookup of the second also finds the rows that follow.
    private func readOn(_ store: SQLiteChunkStore, _ video: CachedVideo) throws -> ChunksAhead {
        var ahead = ChunksAhead()
        for start in [0, 10_000] {
            let chunk = try store.chunk(of: video, from: Int64(start), ahead: &ahead)
            #expect(chunk?.bytes == Array(bytes[start..<start + 10_000]))
        }
        return ahead
    }

    @Test(
        "a row that is known from before is not believed when its chunk has gone",
        arguments: StorageLayout.allCases)
    func goneSinceTheLook(layout: StorageLayout) throws {
        let (store, video) = try fill(layout)
        var ahead = try readOn(store, video)
        try SQLiteChunkStore(folder: folder.path).discard(
            ByteRange(offset: 20_000, length: 1), of: video)
        let next = try store.chunk(of: video, from: 20_000, ahead: &ahead)
        #expect(next?.range.offset == 30_000 && next?.bytes == Array(bytes[30_000...]))
    }

    @Test("damage that a row known from before would hide is found, and reported as damage")
    func damagedSinceTheLook() throws {
        let (store, video) = try fill(.file)
        var ahead = try readOn(store, video)
        try OpenFile.damage(folder.file("data/\(video.id)"), at: 25_000)
        let next = try #require(try store.chunk(of: video, from: 20_000, ahead: &ahead))
        #expect(next.range == ByteRange(offset: 20_000, length: 10_000) && next.bytes == nil)
    }

    @Test("an impossible row further on does not hide the chunk before it")
    func impossibleRowAhead() throws {
        let (store, video) = try fill(.file)
        try store.access { db in
            try db.execute(sql: "UPDATE chunk SET length = -1 WHERE offset = 20000")
        }
        _ = try readOn(store, video)
    }

    @Test(
        "what is lent and not taken comes again, and every byte comes once",
        arguments: StorageLayout.allCases)
    func lending(layout: StorageLayout) throws {
        struct Refusal: Error {}
        let (store, _) = try fill(layout)
        let loader = VideoLoader(cache: VideoCache(store: store), transport: NoTransport())
        let reader = loader.reader(of: url, range: ByteRange(from: 5, to: 25_000))
        var got: [UInt8] = []
        var turn = 0
        while let taken = try reader.lend(
            limit: 7000,
            to: { lent in
                turn += 1
                #expect(!lent.isEmpty && lent.count <= 7000)
                let some = lent.prefix([0, 1, 3000, 7000][turn % 4])
                got += some
                return some.count
            })
        {
            #expect(taken <= 7000)
            #expect(throws: Refusal.self) {
                guard got.count < 24_995 else { throw Refusal() }
                try reader.lend { _ in throw Refusal() }
            }
            #expect(reader.position == Int64(5 + got.count))
        }
        #expect(got == Array(bytes[5..<25_000]))
    }
}

/// A transport that always fails: the test must not need the network.
private struct NoTransport: HTTPTransport {
    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        throw TransportError.cannotConnect(url: request.url, reason: "there is no network")
    }
}
