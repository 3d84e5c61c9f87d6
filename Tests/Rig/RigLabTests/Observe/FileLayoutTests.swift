import CXXHash
import Fixture
import Foundation
import GRDB
import RigModel
import Testing

@testable import RigLab

/// The autopsy of a state with its bytes in files, and several videos.
struct FileLayoutTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let videos = [BytesVideo.pattern(700_000), BytesVideo.pattern(300_000)]
    private let urls = ["http://127.0.0.1/one.mp4", "http://127.0.0.1/two.mp4"]

    private var space: PositionSpace {
        PositionSpace(zip(urls, videos).map { (url: $0, source: $1) })
    }

    /// Writes a state: the chunks of each video, in a file named by the video's number.
    private func makeState(chunks: [[(Int, Int)]]) throws {
        let queue = try DatabaseQueue(path: folder.file("cache.sqlite"))
        try FileManager.default.createDirectory(
            atPath: folder.file("data"), withIntermediateDirectories: true)
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE video (id INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE);
                    CREATE TABLE chunk (video_id INTEGER, offset INTEGER, length INTEGER,
                        checksum INTEGER, PRIMARY KEY (video_id, offset));
                    CREATE TABLE cached_range (video_id INTEGER, offset INTEGER, length INTEGER);
                    """)
            for (index, list) in chunks.enumerated() {
                let id = index + 1
                try database.execute(
                    sql: "INSERT INTO video VALUES (?, ?)", arguments: [id, urls[index]])
                let path = folder.file("data/\(id)")
                try Data().write(to: URL(fileURLWithPath: path))
                let file = try #require(FileHandle(forWritingAtPath: path))
                for (offset, length) in list {
                    let bytes = Array(videos[index].bytes[offset..<offset + length])
                    try file.seek(toOffset: UInt64(offset))
                    try file.write(contentsOf: bytes)
                    let checksum = Int64(bitPattern: XXH3_64bits(bytes, bytes.count))
                    try database.execute(
                        sql: "INSERT INTO chunk VALUES (?, ?, ?, ?)",
                        arguments: [id, offset, length, checksum])
                    try database.execute(
                        sql: "INSERT INTO cached_range VALUES (?, ?, ?)",
                        arguments: [id, offset, length])
                }
                try file.close()
            }
        }
        try queue.close()
    }

    /// Inspects a copy, as a run does.
    private func inspect() throws -> Autopsy {
        let copy = try TemporaryFolder()
        try StateCopy.copy(from: folder.path, to: copy.file("copy"))
        return try StateInspector(inspection: WorkerProfile.referenceInspection, space: space)
            .inspect(CopiedState(folder: copy.file("copy")))
    }

    @Test func chunksOfEachVideoLieWhereTheirVideoLies() throws {
        try makeState(chunks: [[(0, 1_000), (400_000, 300_000)], [(50_000, 250_000)]])
        let autopsy = try inspect()
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.ranges == [0..<1_000, 400_000..<700_000, 750_000..<1_000_000])
        #expect(autopsy.claimedRanges == autopsy.recovered)
        #expect(autopsy.corruptBytes == 0)
    }

    @Test func aByteOverwrittenInAFileIsSeen() throws {
        try makeState(chunks: [[], [(50_000, 250_000)]])
        let file = try #require(FileHandle(forWritingAtPath: folder.file("data/2")))
        try file.seek(toOffset: 60_000)
        try file.write(contentsOf: [videos[1].bytes[60_000] ^ 1])
        try file.close()
        let autopsy = try inspect()
        #expect(autopsy.corruptBytes == 1)
        #expect(autopsy.chunks.map(\.checksumMatches) == [false])
        // Position 60,000 of the second video, which begins at 700,000.
        #expect(autopsy.firstDifference?.offset == 760_000)
    }

    /// The planted bug of this layout: the row is committed before its bytes are in the file.
    @Test(arguments: [250_000, 100_000, 0])
    func aChunkBeyondTheFilesEndIsCorrupt(size: UInt64) throws {
        try makeState(chunks: [[], [(0, 250_001)]])
        #expect(truncate(folder.file("data/2"), off_t(size)) == 0)
        let autopsy = try inspect()
        #expect(autopsy.corruptBytes == 250_001 - Int64(size))
        #expect(autopsy.recovered.isEmpty)
        #expect(autopsy.chunks.map(\.checksumMatches) == [false])
    }

    /// The row's checksum covers only the bytes that are there, fewer than the row claims.
    @Test func aChecksumOfAPartIsNotOfTheChunk() throws {
        try makeState(chunks: [[], [(0, 250_001)]])
        #expect(truncate(folder.file("data/2"), 100_000) == 0)
        let checksum = videos[1].bytes[..<100_000].withUnsafeBytes {
            Int64(bitPattern: XXH3_64bits($0.baseAddress, $0.count))
        }
        try folder.change("UPDATE chunk SET checksum = \(checksum)")
        let autopsy = try inspect()
        #expect(autopsy.chunks.map(\.checksumMatches) == [false])
        #expect(autopsy.recovered.isEmpty)
    }

    @Test func aChunkWithoutAFileIsCorrupt() throws {
        try makeState(chunks: [[(5, 100)], []])
        try FileManager.default.removeItem(atPath: folder.file("data/1"))
        let autopsy = try inspect()
        #expect(autopsy.corruptBytes == 100)
    }

    /// A hole in place of a chunk: the eviction punched the file but left the row.
    @Test func aHoleUnderARowIsCorrupt() throws {
        try makeState(chunks: [[(0, 1_000), (600_000, 1_000)], []])
        try folder.change("UPDATE chunk SET offset = 300000 WHERE offset = 0")
        let autopsy = try inspect()
        #expect(autopsy.corruptBytes > 900)
        #expect(autopsy.firstDifference?.diagnosis == "a hole (zeros)")
    }

    /// A worker's claim for one video must not be taken for a part of the next.
    @Test(arguments: [
        "UPDATE chunk SET offset = 699500 WHERE video_id = 1",
        "UPDATE cached_range SET length = 700001 WHERE video_id = 1",
        "UPDATE chunk SET offset = 9223372036854775807", "UPDATE chunk SET length = -1",
        "UPDATE chunk SET length = NULL", "UPDATE chunk SET checksum = 'x'",
    ])
    func whatCannotBeIsAFinding(sql: String) throws {
        try makeState(chunks: [[(0, 1_000)], [(0, 1_000)]])
        try folder.change(sql)
        #expect(try inspect().integrityCheck != "ok")
    }

    @Test func theIndexCannotNameAFileOfAnotherFolder() throws {
        try Data("secret".utf8).write(to: URL(fileURLWithPath: folder.file("outside")))
        try FileManager.default.createDirectory(
            atPath: folder.file("data"), withIntermediateDirectories: true)
        let files = ChunkFiles(folder: folder.file("data"))
        for name in ["../outside", "..", "/etc/passwd", "absent"] {
            #expect(try files.bytes(file: name, at: 0, length: 6).isEmpty)
        }
    }
}
