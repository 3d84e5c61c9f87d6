internal import GRDB
internal import Synchronization

/// One write transaction, and what it leaves in doubt until it is committed.
final class IndexChange {
    // So that a commit writes to the log even where it changes nothing else. There and back: SQLite
    // leaves alone what stays the same.
    private static let touch = """
        UPDATE chunk_total SET bytes = bytes + 1;
        UPDATE chunk_total SET bytes = bytes - 1;
        """

    /// The connection, which holds the write lock.
    let db: Database
    private let storage: any ByteStorage
    private let inherited: Doubt
    private var isAnnounced: Bool

    /// What this change itself has in doubt.
    private(set) var own = Doubt()
    /// How far rows can be believed.
    private(set) var trust: Trust
    /// True when bytes were taken out of the index, which are free once that is committed.
    private(set) var frees: Bool

    /// Begins a change, and takes over what others have left in doubt.
    ///
    /// It is freed after the commit of this change, not before. Somebody may have been killed after
    /// his commit was in the log, and before others could see it: as long as nobody has written over
    /// it, the next recovery of the log brings his rows back, and they must have their bytes.
    init(db: Database, storage: any ByteStorage, atLaunch: Bool) throws {
        self.db = db
        self.storage = storage
        (trust, inherited) = try storage.leftovers(atLaunch: atLaunch, in: db)
        frees = !inherited.isEmpty
        isAnnounced = inherited.isEmpty
        if frees { try db.execute(sql: Self.touch) }
    }

    /// All that is in doubt until the commit, and looked at after it.
    var doubt: Doubt { inherited + own }

    /// True when only a commit can free what this change itself has in doubt: beside it lies what
    /// others have left, and may come back.
    var needsCommit: Bool { !own.isEmpty && !inherited.isEmpty }

    /// True when not even a cut of the power may bring back what others have left.
    var needsDurableCommit: Bool { trust == .synced && !inherited.isEmpty }

    /// Says which bytes are about to be written, before they are.
    func announce(_ ranges: [ByteRange], ofVideo id: Int64) throws {
        own.ranges += ranges.map { (id, $0) }
        isAnnounced = false
        try announce()
    }

    /// Says that no row speaks of these bytes any more.
    func free(_ range: ByteRange, ofVideo id: Int64) {
        own.ranges.append((id, range))
        frees = true
        isAnnounced = false
    }

    /// Says that no row speaks of any bytes any more.
    func freeEverything() {
        own.isEverything = true
        frees = true
        isAnnounced = false
    }

    /// Notes what is in doubt; called before the commit at the latest.
    func announce() throws {
        guard !isAnnounced else { return }
        try note(trust)
        isAnnounced = true
    }

    private func note(_ soFar: Trust) throws {
        trust = try storage.announce(doubt, trust: soFar, changesRows: !own.isEmpty)
    }

    /// Notes that nothing is in doubt: what was has been settled, and nothing has been changed yet.
    func clearDoubt() throws {
        guard doubt.isEmpty else { return }
        try note(trust)
    }

    /// Remembers that every row has its bytes now, on the disk or in memory.
    func vouch() throws {
        if trust == .none, storage.knowsItsLife { try note(.thisLife) }
    }

    /// Makes everything durable, while nobody can commit.
    func sync(log: String) throws {
        guard trust != .synced else { return }
        try db.syncFile()
        try storage.sync(log: log)
        trust = .synced
    }
}

extension SQLiteChunkStore {
    /// Runs the body in one transaction, committed when the call returns.
    ///
    /// Bytes that no row speaks of any more are freed afterwards, under the lock again and only when
    /// that is committed: a kill in between leaves them to whoever writes next.
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
            // What was written may be what fills the disk.
            if isCommitting || begun?.needsCommit == true {
                settle()
            } else if let begun {
                free(begun.own)
            }
            throw error
        }
    }

    /// Frees what a change that failed has written, once a commit has taken the place of its own, or
    /// of one that nobody has seen.
    private func settle() {
        let change = try? transaction { db in
            let change = try IndexChange(db: db, storage: storage, atLaunch: false)
            try change.announce()
            return change
        }
        if let change { free(after: change) }
    }

    /// Frees what a change that is committed has in doubt.
    private func free(after change: IndexChange) {
        guard change.frees else { return }
        if change.needsDurableCommit {
            guard (try? OpenFile.flush(logPath)) != nil else { return }
        }
        free(change.doubt)
    }

    /// Frees what is in doubt; where that fails whoever writes next does it.
    private func free(_ doubt: Doubt) {
        guard !doubt.isEmpty else { return }
        try? transaction { db in try storage.free(doubt, in: db) }
    }

    /// Brings in order what a killed process left, and keeps to the capacity (B5, C6).
    func recover() throws(CacheError) {
        // Without the lock: what somebody leaves in doubt after this look is settled by whoever
        // writes next.
        var standing = try storage.standing()
        if !standing.isSettled {
            do {
                standing.trust = try change(atLaunch: true) { change in
                    try change.clearDoubt()
                    return change.trust
                }
            } catch .busy {
                // Who holds the lock for so long is alive, and leaves nothing but what it announced.
                standing = try storage.standing()
            }
        }
        try dropDamagedVideos()
        try dropLostChunks(trust: standing.trust)
        try evictToCapacity()
    }

    /// Writes down what can wait no longer.
    func writeWhatIsLeft() {
        let hasUses = uses.withLock { !$0.uses.isEmpty }
        if hasUses || storage.leavesDoubt {
            // Without the order of use the cache is as good as before; what is in doubt would cost
            // the next launch a look under the lock.
            try? change { change in
                try writeUses(in: change.db)
                try change.clearDoubt()
            }
        }
        giveBackSpace(steps: Self.stepsAtClose)
        // Where the next launch cannot tell that nothing was lost, it would read all chunks.
        guard durability == .power || !storage.knowsItsLife else { return }
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
