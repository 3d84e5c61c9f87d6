extension VideoCache {
    /// Removes one video, or all, from the cache in a folder; needs no free disk space (C10).
    ///
    /// All can be removed even if the cache is damaged beyond repair. What is not the cache's stays.
    ///
    /// - Parameters:
    ///   - url: the video's address; nil removes all videos.
    ///   - folder: the cache's folder.
    /// - Throws: ``CacheError``, such as ``CacheError/unknownVideo(url:)``. On a full disk,
    ///   ``CacheError/diskFull(path:)`` if another process has the cache open, or if the bytes of
    ///   several videos are in the database's rows.
    public static func clear(_ url: String?, inFolder folder: String) throws(CacheError) {
        var isEverything = url == nil
        do throws(CacheError) {
            let store = try SQLiteChunkStore(folder: folder, access: .existing, isClearing: true)
            // Also if it fails: the database can only be emptied when it is closed.
            defer { try? store.close() }
            if let url {
                guard let video = try store.video(url: url) else { throw .unknownVideo(url: url) }
                isEverything = try store.videos().count == 1
                try store.remove(video)
            } else {
                try store.removeAll()
            }
        } catch {
            guard isEverything, canEmpty(after: error) else { throw error }
            let layout = OwnFolder.layout(folder)
            try OwnFolder.empty(folder)
            // An empty database is a cache as well; without room for it, a fetch creates it.
            try? SQLiteChunkStore(folder: folder, layout: layout).close()
        }
    }

    private static func canEmpty(after error: CacheError) -> Bool {
        switch error {
        // A database that was emptied already has no bytes, and counts as absent.
        case .diskFull, .notACache, .otherSchema, .inputOutput, .cannotCreate, .absent: true
        default: false
        }
    }
}
