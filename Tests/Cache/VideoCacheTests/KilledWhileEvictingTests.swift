import Foundation
import Glibc
import Testing
@testable import VideoCache

@Suite("Killed while it fills, evicts, replaces and removes (B5, B7, C6)", .serialized)
struct KilledWhileEvictingTests {
    static let capacity: Int64 = 1 << 20
    private let folder = TemporaryFolder()

    /// Every stored chunk, compared with what was saved; returns how many there are.
    @discardableResult
    static func verify(_ store: SQLiteChunkStore) throws -> Int {
        var chunks = 0
        for video in try store.videos() {
            var position: Int64 = 0
            while let chunk = try store.chunk(of: video, from: position) {
                let bytes = try #require(chunk.bytes, "a damaged chunk at \(chunk.range)")
                #expect(FillerProcess.isRight(bytes, at: chunk.range, of: video))
                position = chunk.range.end
                chunks += 1
            }
        }
        return chunks
    }

    @Test(
        "at random moments: the limit holds, nothing is torn, no byte is without a chunk",
        arguments: StorageLayout.allCases)
    func killedAtRandom(layout: StorageLayout) throws {
        var generator = SeededGenerator(state: 9)
        for round in 0..<25 {
            let filler = try FillerProcess(
                folder: folder.path, layout: layout, capacity: Self.capacity,
                seed: generator.next())
            try filler.waitForSteps(Int.random(in: 1...250, using: &generator))
            // Kills fall inside operations too, not only between two.
            usleep(UInt32.random(in: 0...3000, using: &generator))
            try filler.killNow()
            let asKilled = try CacheAudit(
                folder: folder.path, capacity: Self.capacity, includingFiles: false)
            #expect(asKilled.complaints == [], "round \(round), as the kill left it")
            let store = try SQLiteChunkStore(folder: folder.path, capacity: Self.capacity)
            let relaunched = try CacheAudit(folder: folder.path, capacity: Self.capacity)
            #expect(relaunched.complaints == [], "round \(round), after the launch")
            #expect(relaunched.chunkBytes == asKilled.chunkBytes, "what was saved is found (B7)")
            try Self.verify(store)
            // Every other round leaves the WAL as it is.
            if round % 2 == 0 { try store.close() }
        }
        let store = try SQLiteChunkStore(folder: folder.path, capacity: Self.capacity)
        #expect(try Self.verify(store) > 20)
        #expect(try store.cachedBytes() > Self.capacity / 2)
    }

    @Test(
        "one process evicts what another reads: absent for the reader, never other bytes (C5)",
        arguments: StorageLayout.allCases)
    func evictedWhileRead(layout: StorageLayout) throws {
        let filler = try FillerProcess(
            folder: folder.path, layout: layout, capacity: Self.capacity, seed: 4)
        try filler.waitForSteps(300)
        let store = try SQLiteChunkStore(
            folder: folder.path, access: .existing, capacity: Self.capacity)
        var generator = SeededGenerator(state: 5)
        var chunks = 0
        for _ in 0..<3000 {
            let url = "\(Int.random(in: 0..<100, using: &generator))"
            guard let video = try store.video(url: url) else { continue }
            let offset = Int64.random(in: 0..<200_000, using: &generator)
            guard let chunk = try store.chunk(of: video, from: offset) else { continue }
            // Video ids are not reused for another version, so the chunk cannot belong to another
            // one.
            let bytes = try #require(chunk.bytes, "a chunk that was evicted counted as damaged")
            try #require(FillerProcess.isRight(bytes, at: chunk.range, of: video))
            chunks += 1
        }
        #expect(chunks > 500)
        try filler.killNow()
        try store.close()
    }

    @Test(
        "two processes fill one folder under one limit, and both are killed",
        arguments: StorageLayout.allCases)
    func twoFillers(layout: StorageLayout) throws {
        for round in 0..<4 as Range<UInt64> {
            let fillers = try [round, round + 10].map {
                try FillerProcess(
                    folder: folder.path, layout: layout, capacity: Self.capacity, seed: $0)
            }
            for filler in fillers { try filler.waitForSteps(100 + Int(round) * 17) }
            for filler in fillers { try filler.killNow() }
            let store = try SQLiteChunkStore(folder: folder.path, capacity: Self.capacity)
            #expect(try CacheAudit(folder: folder.path, capacity: Self.capacity).complaints == [])
            try Self.verify(store)
            try store.close()
        }
    }

    @Test("bytes that a killed save left in a file are seen by the audit, and gone after a launch")
    func plantedLeftovers() throws {
        let store = try SQLiteChunkStore(folder: folder.path, layout: .file)
        let video = try store.anyVideo()
        try store.save(videoBytes(8192), at: 0, of: video)
        try store.close()
        // The state after a kill between the bytes and the commit: noted, written, not committed.
        let data = folder.file("data")
        try IntentLog.of(folder.path).write(
            Intents(extents: [
                Extent(video: video.id, range: ByteRange(offset: 16_384, length: 8192)),
                Extent(video: video.id + 1, range: ByteRange(offset: 0, length: 100)),
            ]), trust: .thisEpoch)
        let left = DataFolder(path: data)
        try videoBytes(8192).withUnsafeBytes { bytes in
            try left.write(bytes, at: 16_384, of: video.id)
            try left.write(bytes, at: 0, of: video.id + 1)
        }
        #expect(try CacheAudit(folder: folder.path).complaints.count == 3)
        try SQLiteChunkStore(folder: folder.path).close()
        #expect(try CacheAudit(folder: folder.path).complaints == [])
        // Without a valid note every file is checked.
        try Data("torn".utf8).write(to: URL(fileURLWithPath: data + "/journal"))
        try videoBytes(8192).withUnsafeBytes { bytes in
            try left.write(bytes, at: 32_768, of: video.id)
            try left.write(bytes, at: 0, of: video.id + 7)
        }
        #expect(try CacheAudit(folder: folder.path).complaints.count == 3)
        let relaunched = try SQLiteChunkStore(folder: folder.path)
        #expect(try CacheAudit(folder: folder.path).complaints == [])
        #expect(try VideoCache(store: relaunched).beginning(of: video.url) == videoBytes(8192))
    }
}
