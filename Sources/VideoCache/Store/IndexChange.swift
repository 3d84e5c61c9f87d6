internal import GRDB
internal import Synchronization

/// One write transaction, and what it leaves in doubt until it is committed.
final class IndexChange {
    /// The connection, which holds the write lock.
    let db: Database
    private let storage: any ByteStorage
    private var doubt = Doubt()
    private var isAnnounced = true
    private var trust: Trust

    /// True when bytes were taken out of the index, which are free once that is committed.
    private(set) var frees = false

    init(db: Database, storage: any ByteStorage, trust: Trust) {
        self.db = db
        self.storage = storage
        self.trust = trust
    }

    /// Says which bytes are about to be written, before they are.
    func announce(_ ranges: [ByteRange], ofVideo id: Int64) throws {
        doubt.ranges += ranges.map { (id, $0) }
        isAnnounced = false
        try announce()
    }

    /// Says that no row speaks of these bytes any more.
    func free(_ range: ByteRange, ofVideo id: Int64) {
        doubt.ranges.append((id, range))
        frees = true
        isAnnounced = false
    }

    /// Says that no row speaks of any bytes any more.
    func freeEverything() {
        doubt.isEverything = true
        frees = true
        isAnnounced = false
    }

    /// Notes what is in doubt; called before the commit at the latest.
    func announce() throws {
        guard !isAnnounced else { return }
        trust = try storage.announce(doubt, trust: trust)
        isAnnounced = true
    }

    /// Notes that nothing is in doubt: what was has been settled, and nothing has been changed yet.
    func clearDoubt() throws {
        guard doubt.isEmpty else { return }
        trust = try storage.announce(doubt, trust: trust)
    }

    /// Remembers that every row has its bytes now, on the disk or in memory.
    func vouch() throws {
        if trust == .none, storage.knowsItsLife {
            trust = try storage.announce(doubt, trust: .thisLife)
        }
    }

    /// Makes everything durable, while nobody can commit.
    func sync(log: String) throws {
        guard trust != .synced else { return }
        try storage.sync(log: log)
        trust = .synced
    }
}

extension SQLiteChunkStore {
    /// Runs the body in one transaction, committed when the call returns.
    ///
    /// Bytes that it took out of the index are freed afterwards, under the lock again and only when
    /// that is committed: a kill in between leaves them to whoever writes next.
    func change<Value>(_ body: (IndexChange) throws -> Value) throws(CacheError) -> Value {
        do {
            let (value, frees) = try transaction { db in
                let trust = try storage.settle(atLaunch: false, in: db)
                let change = IndexChange(db: db, storage: storage, trust: trust)
                let value = try body(change)
                try change.announce()
                return (value, change.frees)
            }
            if frees { settle() }
            return value
        } catch {
            // What was written may be what fills the disk.
            settle()
            throw error
        }
    }

    /// Frees what is in doubt; where that fails the next change does it.
    private func settle() {
        _ = try? transaction { db in try storage.settle(atLaunch: false, in: db) }
    }

    /// Brings in order what a killed process left, and keeps to the capacity (B5, C6).
    func recover() throws(CacheError) {
        // Without the lock: what somebody leaves in doubt after this look is settled by whoever
        // writes next.
        var standing = try storage.standing()
        if !standing.isSettled {
            do {
                standing.trust = try transaction { db in
                    try storage.settle(atLaunch: true, in: db)
                }
            } catch .busy {
                // Who holds the lock for so long is alive, and leaves nothing but what it announced.
                standing = try storage.standing()
            }
        }
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
