internal import Foundation
internal import GRDB
internal import VideoCache

/// A cache of very many small chunks, each its own range: neighbours never touch.
///
/// It is filled once, by SQL, and kept in `.build/filled` for the next benchmark, which is another
/// process: saving a million chunks one by one would take minutes.
final class FilledCache {
    static let url = "http://origin.example/large.mp4"
    static let sizes = [100_000, 1_000_000]
    /// The bytes of a chunk; the gap after it is as long.
    static let length = 10

    let chunks: Int
    private let folder: String
    private let layout: StorageLayout

    /// Finds the cache, or fills it.
    init(chunks: Int, layout: StorageLayout) throws {
        self.chunks = chunks
        self.layout = layout
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        folder = package.appendingPathComponent(".build/filled/\(layout.rawValue)-\(chunks)").path
        let files = FileManager.default
        guard !files.fileExists(atPath: folder) else { return }
        // Under another name until it is complete.
        let partial = folder + ".partial"
        try? files.removeItem(atPath: partial)
        try fill(partial)
        try files.moveItem(atPath: partial, toPath: folder)
    }

    static func name(of chunks: Int) -> String {
        chunks < 1_000_000 ? "\(chunks / 1000),000" : "\(chunks / 1_000_000),000,000"
    }

    /// The offset of a chunk.
    func offset(_ chunk: Int) -> Int64 { Int64(chunk * 2 * Self.length) }

    func open() throws -> SQLiteChunkStore {
        try SQLiteChunkStore(folder: folder, layout: layout, capacity: 1 << 40)
    }

    private func fill(_ folder: String) throws {
        let empty = try SQLiteChunkStore(folder: folder, layout: layout)
        let video = try empty.store(
            ContentInformation(
                length: offset(chunks), mimeType: "video/mp4", acceptsRanges: true,
                etag: "\"1\""),
            url: Self.url)
        try empty.close()
        let bytes = (1...UInt8(Self.length)).map(\.self)
        if layout == .file {
            let gap = [UInt8](repeating: 0, count: Self.length)
            var all = Data(capacity: Int(offset(chunks)))
            for _ in 0..<chunks { all.append(contentsOf: bytes + gap) }
            try all.write(to: URL(fileURLWithPath: "\(folder)/data/\(video.id)"))
        }
        let queue = try DatabaseQueue(path: folder + "/cache.sqlite")
        try queue.write { db in try insert(bytes, into: db, video: video.id) }
        try queue.close()
    }

    /// Inserts all chunks at once, and updates what the triggers would have updated for each.
    private func insert(_ bytes: [UInt8], into db: Database, video: Int64) throws {
        let trigger =
            "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND name = 'chunk_added'"
        guard let restore = try String.fetchOne(db, sql: trigger) else {
            throw CocoaError(.fileReadCorruptFile)
        }
        let checksum = Int64(bitPattern: bytes.withUnsafeBytes(Checksum.xxh3))
        let hasBytes = layout == .rows
        try db.execute(sql: "DROP TRIGGER chunk_added")
        try db.execute(
            sql: """
                WITH RECURSIVE number(n) AS (
                    SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n < :chunks - 1)
                INSERT INTO chunk (video_id, offset, length, checksum\(hasBytes ? ", bytes" : ""))
                    SELECT :video, n * 2 * :length, :length, :checksum\(hasBytes ? ", :bytes" : "")
                    FROM number
                """,
            arguments: StatementArguments(
                [
                    "chunks": chunks, "video": video, "length": Self.length, "checksum": checksum,
                ].merging(hasBytes ? ["bytes": Data(bytes)] : [:]) { $1 }))
        try db.execute(
            sql: """
                INSERT INTO cached_range SELECT video_id, offset, length FROM chunk;
                INSERT INTO chunk_use (video_id, offset, used)
                    SELECT video_id, offset, offset FROM chunk;
                UPDATE chunk_total SET bytes = (SELECT SUM(length) FROM chunk);
                """)
        try db.execute(sql: restore)
        let mark = try db.makeStatement(
            sql: "UPDATE chunk_use SET checksum = ? WHERE video_id = ? AND offset = ?")
        for number in 0..<chunks {
            let range = ByteRange(offset: offset(number), length: Int64(Self.length))
            let checksum = RowChecksum.ofChunk(
                video, range, checksum: UInt64(bitPattern: checksum))
            try mark.execute(arguments: [checksum, video, range.offset])
        }
    }
}
