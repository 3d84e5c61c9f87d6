extension VideoCache {
    package var refusal: CacheError? { (store as? SQLiteChunkStore)?.refusal }

    /// Reads what is called complete, if no launch was able to look for lost bytes (C5).
    package func confirm(_ url: String) throws {
        guard let store = store as? SQLiteChunkStore, store.isDoubtful else { return }
        let damaged = try readParts(in: .everywhere, of: url) { _, _ in }
        guard damaged.isEmpty else { throw store.refusal ?? .damaged(url: url, dropped: damaged) }
    }

    /// Empties a cache that is damaged beyond repair (C5), but nothing of another program's.
    package static func startOver(inFolder folder: String) throws(CacheError) {
        try OwnFolder.empty(folder)
    }
}
