internal import GRDB

/// Removes what is cached, also from a disk that has no room for the commit (C10).
extension SQLiteChunkStore {
    /// Removes a video with all its chunks, and gives their space on disk back in small steps.
    package func remove(_ video: CachedVideo) throws(CacheError) {
        try removing { change in
            try Self.delete(video.id, in: change)
        } atOnce: { () throws(CacheError) in
            [video.id]
        }
        giveBackSpace(steps: .max)
    }

    static func delete(_ id: Int64, in change: IndexChange) throws {
        try change.db.execute(sql: "DELETE FROM video WHERE id = ?", arguments: [id])
        change.free(.everywhere, ofVideo: id)
    }

    package func removeAll() throws(CacheError) {
        try removing { change in
            try change.db.execute(sql: "DELETE FROM video")
            change.freeEverything()
        } atOnce: { () throws(CacheError) in
            try files?.data.videos() ?? []
        }
        // Quick when empty; it also lets a version 1 database shrink in steps from now on.
        try access { db in try db.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL; VACUUM") }
        try checkpoint()
    }

    /// Deletes rows; on a full disk the files of these videos go first, as room for the commit.
    private func removing(
        _ body: (IndexChange) throws -> Void, atOnce videos: () throws(CacheError) -> [Int64]
    ) throws(CacheError) {
        do {
            return try change(body)
        } catch .diskFull where refusal == nil {
            // With the bytes in rows, a checkpoint lets the commit overwrite the WAL.
            try? checkpoint()
        }
        let freed = try videos()
        try change { change in
            try change.freeAtOnce(videos: freed)
            try body(change)
        }
    }
}
