extension VideoCache {
    package var refusal: CacheError? { (store as? SQLiteChunkStore)?.refusal }

    /// Reads a video that is called complete, where no launch was able to look for lost bytes (C5).
    ///
    /// Does nothing if a launch has looked, or needed not to.
    package func confirm(_ url: String) throws {
        guard let store = store as? SQLiteChunkStore, store.isDoubtful else { return }
        let damaged = try readParts(in: .everywhere, of: url) { _, _ in }
        guard damaged.isEmpty else { throw store.refusal ?? .damaged(url: url, dropped: damaged) }
    }

    /// Empties a cache that is damaged beyond repair, so that its videos can be fetched again (C5).
    ///
    /// What is not the cache's stays; it throws if the database may be another program's.
    package static func startOver(inFolder folder: String) throws(CacheError) {
        try OwnFolder.empty(folder)
    }
}
