internal import Synchronization

extension SQLiteChunkStore {
    /// Opens the index to be written if it could only be read, which may have changed (S6).
    func expectWritable() throws(CacheError) {
        let before = opened.withLock(\.self)
        guard let refusal = before.connection.refusal else { return }
        guard mayWrite, before.connection.canBeOpenedAnew else { throw refusal }
        let connection = try IndexConnection.open(wish, access: .existing, isClearing: false)
        guard connection.refusal == nil, isInPlace else { throw connection.refusal ?? refusal }
        let files =
            layout == .rows
            ? nil
            : try FileStorage(
                folder: wish.folder, access: .existing, durability: durability, system: system,
                memory: memory)
        let isFirst = opened.withLock { opened in
            guard opened.connection.refusal != nil else { return false }
            opened = Opened(connection: connection, files: files)
            return true
        }
        if isFirst { try recover() }
    }
}
