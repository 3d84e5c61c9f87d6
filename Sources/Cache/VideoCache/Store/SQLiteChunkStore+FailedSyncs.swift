internal import Foundation
internal import GRDB

/// What follows a sync of the index that has failed.
///
/// The system takes what it could not write for clean, so only what is written again reaches the disk.
/// And the failure may be of what an earlier sync had called written, as on ext4 with `data=journal`. A
/// power cut ends a WAL at the first frame that is missing: it takes all commits after that one, also
/// those that were synced, and leaves the older pages before it over newer ones of the database.
extension SQLiteChunkStore {
    /// Makes the WAL whole after a change that has failed, where its commits must survive a power cut.
    func noteFailure(_ error: CacheError) {
        guard durability == .power, case .inputOutput = error else { return }
        // The next sync that fails is another failure.
        try? rewriteLog()
    }

    /// Runs the body, and once more with a WAL written again if an input or output has failed.
    func mendingLog<Value>(_ body: () throws(CacheError) -> Value) throws(CacheError) -> Value {
        do {
            return try body()
        } catch {
            guard case .inputOutput = error else { throw error }
            do {
                try rewriteLog()
            } catch _ {
                throw error
            }
            return try body()
        }
    }

    /// Writes the WAL again as it is, under the write lock, and waits until it is on the disk.
    private func rewriteLog() throws(CacheError) {
        try access { db in
            try db.transaction(.immediate) {
                guard let file = try OpenFile.ifThere(logPath, O_RDWR) else { return }
                try file.rewrite()
                try system.sync(file)
            }
        }
    }

    /// Writes the whole index again, and waits until it is on the disk.
    func rewriteIndex() throws(CacheError) {
        try rewriteLog()
        try access { db in
            try db.execute(sql: "VACUUM")
            _ = try db.checkpoint(.truncate)
        }
    }
}
