import GRDB

@testable import VideoCache

enum ManyChunks {
    static let url = "large"

    /// Chunks of 10 bytes, each its own range: neighbours never touch.
    static func fill(_ folder: String, layout: StorageLayout, chunks: Int) throws {
        let store = try SQLiteChunkStore(folder: folder, layout: layout)
        let video = try store.anyVideo(url)
        let bytes = [UInt8](1...10)
        let checksum = Int64(bitPattern: bytes.withUnsafeBytes(Checksum.xxh3))
        try store.access { db in
            let values = layout == .rows ? "?, x'0102030405060708090a'" : "?"
            let columns = layout == .rows ? ", bytes" : ""
            try db.execute(
                sql: """
                    BEGIN;
                    WITH RECURSIVE number(n) AS (
                        SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < \(chunks - 1))
                    INSERT INTO chunk (video_id, offset, length, checksum\(columns))
                        SELECT \(video.id), n * 20, 10, \(values) FROM number;
                    INSERT INTO cached_range SELECT video_id, offset, length FROM chunk;
                    """, arguments: [checksum])
            for number in 0..<chunks {
                try SQLiteTables.setChecksum(
                    ofChunk: ByteRange(offset: Int64(number) * 20, length: 10), ofVideo: video.id,
                    checksum: UInt64(bitPattern: checksum), in: db)
            }
            try db.execute(sql: "COMMIT")
        }
        if layout == .file {
            let all = (0..<chunks).flatMap { _ in bytes + [UInt8](repeating: 0, count: 10) }
            try all.withUnsafeBytes {
                try DataFolder(path: folder + "/data").write($0, at: 0, of: video.id)
            }
        }
        try VideoCache(store: store).close()
    }
}
