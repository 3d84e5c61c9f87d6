import Foundation
import GRDB
import Testing

@testable import VideoCache

/// `FlatWorkTests` and `harness/benchmarks` check that it is as fast as a small one.
@Suite("A cache of 100,000 chunks opens and answers", .serialized)
struct LargeCacheTests {
    private static let chunks = 100_000

    @Test(arguments: StorageLayout.allCases)
    func findsTheRightChunk(layout: StorageLayout) throws {
        let folder = TemporaryFolder()
        try ManyChunks.fill(folder.path, layout: layout, chunks: Self.chunks)
        let store = try SQLiteChunkStore(folder: folder.path, capacity: 1 << 30)
        let video = try #require(try store.video(url: "large"))
        var generator = SeededGenerator(state: 1)
        for _ in 0..<50 {
            let number = Int64.random(in: 0..<Int64(Self.chunks) - 1, using: &generator)
            let chunk = try store.chunk(of: video, from: number * 20 + 3)
            #expect(chunk?.range.offset == number * 20 && chunk?.bytes?.count == 10)
            // In a gap it is the next chunk.
            let next = try store.chunk(of: video, from: number * 20 + 15)
            #expect(next?.range.offset == (number + 1) * 20)
        }
        let free = Int64.random(in: 0..<Int64(Self.chunks), using: &generator) * 20 + 12
        try store.save([1, 2], at: free, of: video)
        let ranges = try store.ranges(of: video)
        #expect(ranges.ranges.count == Self.chunks + 1)
    }
}
