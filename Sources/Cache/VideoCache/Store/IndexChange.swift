internal import GRDB
internal import Synchronization

/// One write transaction, and the bytes that are in doubt until it is committed.
final class IndexChange {
    /// The connection, which holds the write lock.
    let db: Database
    private let storage: any ByteStorage
    private let inherited: Doubt
    private var isAnnounced: Bool

    /// The bytes that this change itself has put in doubt.
    private(set) var own = Doubt()
    /// How far rows can be trusted.
    private(set) var trust: Trust
    /// True when bytes were removed from the index; they are freed after the commit.
    private(set) var frees: Bool

    /// Begins a change, and takes over the bytes that earlier writers left in doubt.
    ///
    /// They are freed after the commit of this change, not before. A writer may be killed when its
    /// commit is in the WAL but not yet visible to other connections. Until another commit
    /// overwrites it, WAL recovery can restore its rows, and those need their bytes.
    init(db: Database, storage: any ByteStorage, atLaunch: Bool) throws {
        self.db = db
        self.storage = storage
        (trust, inherited) = try storage.leftovers(atLaunch: atLaunch, in: db)
        frees = !inherited.isEmpty
        isAnnounced = inherited.isEmpty
        if frees { try touch() }
    }

    /// Forces the commit to write to the WAL even if nothing else changes.
    ///
    /// SQLite writes this number even if it stays the same, and whatever the tables contain.
    private func touch() throws {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? SQLiteSchema.version
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// All bytes in doubt until the commit; they are examined after it.
    var doubt: Doubt { inherited + own }

    /// True when this change's own bytes can only be freed by a commit, because a commit left by an
    /// earlier writer may still come back.
    var needsCommit: Bool { !own.isEmpty && !inherited.isEmpty }

    /// True when an earlier writer's commit must not come back even after a power cut.
    var needsDurableCommit: Bool { trust == .synced && !inherited.isEmpty }

    /// Records which bytes are about to be written, before they are.
    func announce(_ ranges: [ByteRange], ofVideo id: Int64) throws {
        own.ranges += ranges.map { (id, $0) }
        isAnnounced = false
        try announce()
    }

    /// Records that no row refers to these bytes any more.
    func free(_ range: ByteRange, ofVideo id: Int64) {
        own.ranges.append((id, range))
        frees = true
        isAnnounced = false
    }

    /// Records that no row refers to any bytes any more.
    func freeEverything() {
        own.isEverything = true
        frees = true
        isAnnounced = false
    }

    /// Writes the bytes in doubt to the journal; must be called before the commit.
    func announce() throws {
        guard !isAnnounced else { return }
        try note(trust)
        isAnnounced = true
    }

    private func note(_ soFar: Trust) throws {
        trust = try storage.announce(doubt, trust: soFar, changesRows: !own.isEmpty)
    }

    /// Records that nothing is in doubt: leftovers are settled and nothing has been changed yet.
    func clearDoubt() throws {
        guard doubt.isEmpty else { return }
        try note(trust)
    }

    /// Records that every row has its bytes, on disk or in the page cache.
    func vouch() throws {
        if trust == .none, storage.canDetectReboot { try note(.thisLife) }
    }

    /// Makes everything durable, under the write lock.
    func sync(log: String) throws {
        guard trust != .synced else { return }
        try db.syncFile()
        try storage.sync(log: log, doubt: doubt)
        trust = .synced
        isAnnounced = true
    }
}

extension SQLiteChunkStore {
    /// Runs the body in one transaction, committed when the call returns.
    ///
    /// Bytes that no row refers to any more are freed after the commit, under the lock again. A
    /// kill in between leaves that to the next writer.
    func change<Value>(_ body: (IndexChange) throws -> Value) throws(CacheError) -> Value {
        try change(atLaunch: false, body)
    }

    private func change<Value>(
        atLaunch: Bool, _ body: (IndexChange) throws -> Value
    ) throws(CacheError) -> Value {
        var begun: IndexChange?
        var isCommitting = false
        do {
            let (value, change) = try transaction { db in
                let change = try IndexChange(db: db, storage: storage, atLaunch: atLaunch)
                begun = change
                let value = try body(change)
                try change.announce()
                isCommitting = true
                return (value, change)
            }
            free(after: change)
            return value
        } catch {
            // The bytes just written may be what fills the disk, so they are freed.
            if isCommitting || begun?.needsCommit == true {
                settle()
            } else if let begun {
                free(begun.own)
            }
            throw error
        }
    }

    /// Frees what a failed change has written, once another commit has overwritten its own in the
    /// WAL, or a killed writer's that was never visible.
    private func settle() {
        let change = try? transaction { db in
            let change = try IndexChange(db: db, storage: storage, atLaunch: false)
            try change.announce()
            return change
        }
        if let change { free(after: change) }
    }

    /// Frees the bytes in doubt of a committed change.
    private func free(after change: IndexChange) {
        guard change.frees else { return }
        if change.needsDurableCommit {
            guard (try? system.sync(logPath)) != nil else { return }
        }
        free(change.doubt)
    }

    /// Frees the bytes in doubt; if that fails, the next writer does it.
    private func free(_ doubt: Doubt) {
        guard !doubt.isEmpty else { return }
        try? transaction { db in try storage.free(doubt, in: db) }
    }

    /// Settles what a killed process left, and enforces the capacity (B5, C6).
    func recover() throws(CacheError) {
        // Read without the lock: bytes that another process puts in doubt later are settled by the
        // next writer.
        var standing = try storage.standing()
        if !standing.isSettled {
            do {
                standing.trust = try change(atLaunch: true) { change in
                    try change.clearDoubt()
                    return change.trust
                }
            } catch .busy {
                // The holder of the lock is alive; its bytes in doubt are in the journal.
                standing = try storage.standing()
            }
        }
        try dropDamagedVideos()
        try dropLostChunks(trust: standing.trust)
        try evictToCapacity()
    }

    /// Writes everything that was deferred until the close.
    func writeWhatIsLeft() {
        let hasUses = uses.withLock { !$0.uses.isEmpty }
        if hasUses || storage.leavesDoubt {
            // Losing the order of use is harmless. Bytes left in doubt would cost the next launch a
            // transaction under the lock.
            try? change { change in
                try writeUses(in: change.db)
                try change.clearDoubt()
            }
        }
        giveBackSpace(steps: Self.stepsAtClose)
        // Without a sync, a launch that cannot tell whether bytes were lost reads all chunks.
        guard durability == .power || !storage.canDetectReboot else { return }
        if (try? storage.standing().trust) != .synced { try? sync() }
    }

    private func transaction<Value>(
        _ body: (Database) throws -> Value
    ) throws(CacheError) -> Value {
        try access { db in
            var value: Value?
            try db.inTransaction(.immediate) {
                value = try body(db)
                return .commit
            }
            guard let value else {
                throw CacheError.inputOutput(path: path, reason: "the transaction did not run")
            }
            return value
        }
    }
}
