internal import GRDB

enum SQLiteTables {
    /// The tables, the same but for the bytes; triggers keep the order of use and the total.
    static func create(_ layout: StorageLayout) -> String {
        """
        CREATE TABLE video (
            id INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice, also after a clear
            url TEXT NOT NULL UNIQUE,
            length INTEGER,
            mime_type TEXT,
            accepts_ranges INTEGER NOT NULL,
            etag TEXT,
            last_modified TEXT,
            checksum INTEGER, -- XXH3-64 of the row's other values
            other_etags TEXT, -- tags of the same bytes, one per line
            compared INTEGER, -- 1: continued because kept bytes agreed
            freshness TEXT -- RFC 9111; NULL where nothing was said
        );
        CREATE TABLE chunk (\(layout == .rows ? "" : " -- the bytes: data/<video_id>, at offset")
            video_id INTEGER NOT NULL REFERENCES video(id) ON DELETE CASCADE,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            checksum INTEGER NOT NULL, -- XXH3-64 of the bytes, as a signed 64-bit number
            \(layout == .rows ? "bytes BLOB NOT NULL," : "")
            PRIMARY KEY (video_id, offset)
        )\(layout == .rows ? "" : " WITHOUT ROWID");
        CREATE TABLE cached_range ( -- merged; updated in the same transaction as the chunk
            video_id INTEGER NOT NULL REFERENCES video(id) ON DELETE CASCADE,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            PRIMARY KEY (video_id, offset)
        ) WITHOUT ROWID;
        \(uses)
        CREATE TABLE chunk_total (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            bytes INTEGER NOT NULL, -- of all chunks
            generation INTEGER NOT NULL DEFAULT 0, -- of the index (IndexAge)
            base INTEGER NOT NULL DEFAULT 0 -- that of the database
        );
        INSERT INTO chunk_total (id, bytes) VALUES (1, 0);
        CREATE TRIGGER chunk_added AFTER INSERT ON chunk BEGIN
            INSERT INTO chunk_use (video_id, offset, used) VALUES (
                new.video_id, new.offset, (SELECT IFNULL(MAX(used), 0) + 1 FROM chunk_use));
            UPDATE chunk_total SET bytes = bytes + new.length;
        END;
        CREATE TRIGGER chunk_dropped AFTER DELETE ON chunk BEGIN
            DELETE FROM chunk_use WHERE video_id = old.video_id AND offset = old.offset;
            UPDATE chunk_total SET bytes = bytes - old.length;
        END;

        """
    }

    /// The order of use, which eviction needs, and the checksums of chunks' rows (``RowChecksum``).
    ///
    /// They have a table of their own, because SQLite rewrites a whole row, including its bytes, when a
    /// column changes.
    private static let uses = """
        CREATE TABLE chunk_use ( -- one row per chunk; the least number was used least recently
            video_id INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            used INTEGER NOT NULL,
            checksum INTEGER, -- XXH3-64 of the chunk's row
            PRIMARY KEY (video_id, offset)
        ) WITHOUT ROWID;
        CREATE INDEX chunk_use_order ON chunk_use (used, video_id, offset);
        """

    /// Replaces the order of use by an empty table, when its pages are damaged.
    static let usesAnew = "DROP TABLE chunk_use; \(uses)"

    /// Selects all videos, with their rows' checksums behind what ``video(_:)`` reads.
    static let videos = """
        SELECT id, url, length, mime_type, accepts_ranges, etag, last_modified, other_etags, compared,
            freshness, checksum FROM video
        """
    static let setVideoChecksum = "UPDATE video SET checksum = ? WHERE id = ?"
    private static let setChunkChecksum = """
        UPDATE chunk_use SET checksum = ? WHERE video_id = ? AND offset = ?
        """

    static func setChecksum(
        ofChunk range: ByteRange, ofVideo id: Int64, checksum: UInt64, in db: Database
    ) throws {
        let checksum = RowChecksum.ofChunk(id, range, checksum: checksum)
        try db.run(setChunkChecksum, [checksum, id, range.offset])
    }

    /// Decodes a video's row; throws `DatabaseError` if it is damaged.
    static func video(
        _ row: Row
    ) throws -> (id: Int64, url: String, information: ContentInformation) {
        let information = ContentInformation(
            length: try row.valueIfAny(2), mimeType: try row.valueIfAny(3),
            acceptsRanges: try row.value(4), etag: try row.valueIfAny(5),
            lastModified: try row.valueIfAny(6),
            // By bytes: a return before the line feed would make one character with it.
            otherETags: (try row.valueIfAny(7) as String?)?.utf8
                .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .map { String(Substring($0)) } ?? [],
            isComparedByBytes: (try row.valueIfAny(8) as Int?) == 1,
            freshness: (try row.valueIfAny(9) as String?).flatMap(Freshness.init))
        guard information.length ?? 0 >= 0 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "impossible length")
        }
        return (try row.value(0), try row.value(1), information)
    }
}
