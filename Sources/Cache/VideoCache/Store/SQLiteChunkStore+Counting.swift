internal import GRDB
internal import Synchronization

extension SQLiteChunkStore {
    private static let withBytes = """
        SELECT offset FROM chunk WHERE video_id = ? AND LENGTH(bytes) = length
        """

    /// How many chunks of a video the index says are there, and which of them are (F5).
    ///
    /// Compares no bytes. What counts as cached without a row is one chunk that is not there.
    package func countChunks(
        of video: CachedVideo
    ) throws(CacheError) -> (recorded: Int, found: [ByteRange]) {
        let lost = lostAtLaunch.withLock { $0.removeValue(forKey: video.id) } ?? 0
        let (rows, sound, claims) = try access { db in
            let rows = try db.rows(Self.chunks, [video.id])
            var sound = rows.compactMap { isSound($0, of: video) }
            if files == nil {
                let whole = Set(
                    try Row.fetchAll(db, sql: Self.withBytes, arguments: [video.id])
                        .compactMap { try? $0.value(0) as Int64 })
                sound.removeAll { !whole.contains($0.offset) }
            }
            let claims = try db.rows(Self.allRanges, [video.id])
            return (rows, sound, claims.compactMap { try? Self.byteRange($0) })
        }
        let held = ByteRangeSet(rows.compactMap { try? Self.byteRange($0) })
        let recorded = rows.count + claims.flatMap { held.gaps(in: $0) }.count + lost
        guard let files else { return (recorded, sound) }
        let hollow = Set(try files.data.hollow(sound, of: video.id))
        return (recorded, sound.filter { !hollow.contains($0) })
    }

    private func isSound(_ row: Row, of video: CachedVideo) -> ByteRange? {
        guard let chunk = try? IndexRow(row) else { return nil }
        let checksum = RowChecksum.ofChunk(video.id, chunk.range, checksum: chunk.checksum)
        return (try? row.value(3)) == checksum ? chunk.range : nil
    }
}
