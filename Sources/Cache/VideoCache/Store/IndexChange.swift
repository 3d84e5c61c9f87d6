internal import GRDB

/// One write transaction, and the extents that are in doubt until it is committed.
final class IndexChange {
    /// The connection, which holds the write lock.
    let db: Database
    private let files: FileStorage?
    private let inherited: Intents
    /// The index's generation before this change (``IndexAge``).
    let generation: Int64
    private let changesBefore: Int
    private var isLogged: Bool
    private(set) var record: UInt64?
    private var isCommitting = false

    /// The extents that this change itself has put in doubt.
    private(set) var own = Intents() { didSet { isLogged = false } }
    private(set) var trust: Trust
    /// How far they can be once this change is over; nil for as far as its record says.
    private(set) var trustAfterwards: Trust?

    /// Begins a change, and takes over the extents that earlier writers left orphaned.
    ///
    /// They are freed after the commit of this change, not before. A writer may be killed when its
    /// commit is in the WAL but not yet visible to other connections. Until another commit
    /// overwrites it, WAL recovery can restore its rows, and those need their bytes.
    ///
    /// The write transaction has changed nothing yet. At the launch nothing is known yet of earlier
    /// events; in doubt no row can be trusted, and any byte may be orphaned.
    init(db: Database, files: FileStorage?, atLaunch: Bool, isInDoubt: Bool = false) throws {
        (self.db, self.files) = (db, files)
        generation = try Self.generation(in: db)
        changesBefore = db.totalChangesCount
        (trust, inherited) =
            try files?.unresolved(
                atLaunch: atLaunch, isInDoubt: isInDoubt, generation: generation, in: db)
            ?? (.synced, Intents())
        isLogged = inherited.isEmpty
        if !inherited.isEmpty { try touch() }
    }

    /// The index's generation; 0 if another program has damaged it.
    static func generation(in db: Database) throws -> Int64 {
        try Row.fetchOne(db.cachedStatement(sql: generationNow)).flatMap { try? $0.value(0) } ?? 0
    }

    private static let generationNow = "SELECT generation FROM chunk_total"
    private static let nextGeneration = """
        UPDATE chunk_total SET generation = generation + 1, base = MAX(base, ?)
        """

    /// Forces the commit to write to the WAL: SQLite writes this number even if it stays the same.
    private func touch() throws {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? SQLiteSchema.version
        try db.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// All extents in doubt until the commit; they are examined after it.
    var intents: Intents { inherited + own }

    /// True when bytes of no row may be left; they are freed after the commit.
    var frees: Bool { !inherited.isEmpty || own.deletesRows }

    /// True when this change has failed, and another commit must precede the freeing of its bytes:
    /// its own commit may come back, or that of an earlier writer in the same gap.
    var needsCommit: Bool { isCommitting || (!own.isEmpty && !inherited.isEmpty) }

    /// True when an earlier writer's commit must not come back even after a power cut.
    var needsDurableCommit: Bool { trust == .synced && !inherited.isEmpty }

    /// Logs which bytes are about to be written, before they are.
    func log(_ ranges: [ByteRange], ofVideo id: Int64) throws {
        own.extents += ranges.map { Extent(video: id, range: $0) }
        try log()
    }

    func free(_ range: ByteRange, ofVideo id: Int64) {
        own.extents.append(Extent(video: id, range: range))
        own.deletesRows = true
    }

    /// Frees a video's bytes before the commit that deletes their rows, for which a full disk has no
    /// room otherwise.
    ///
    /// Until then the record says that no row can be trusted. So after a kill in between, a launch
    /// reads the chunks, and drops those that have lost their bytes (B5).
    func freeAtOnce(videos: [Int64]) throws {
        guard let files, !videos.isEmpty else { return }
        if trustAfterwards == nil {
            trustAfterwards =
                files.log.durability == .process && trust == .synced
                ? .thisEpoch : trust
        }
        trust = .none
        record = try files.log.write(
            Intents(isEverything: true), trust: .none, generation: generation)
        // A power cut must not find the last record, which may say that all is synced.
        try files.log.sync()
        isLogged = true
        for video in videos { try files.data.free(.everywhere, of: video) }
    }

    /// Notes that no row refers to any bytes any more.
    func freeEverything() {
        own.isEverything = true
        own.deletesRows = true
    }

    /// Has the record replaced even by one without extents: those of the last one are resolved.
    func logAnew() { isLogged = false }

    /// Counts the generation up after any change, which costs no page, as a save changes the same row.
    func prepareCommit(base: Int64) throws {
        if db.totalChangesCount != changesBefore {
            try db.run(Self.nextGeneration, [base])
            // Every generation has a record, or an older one would be taken for another index's.
            if own.isEmpty, inherited.isEmpty { isLogged = false }
        }
        try log()
        isCommitting = true
    }

    private func log() throws {
        guard let files, !isLogged else { return }
        if trust == .synced, !own.isEmpty, files.log.durability == .process {
            // Once for all changes until the next sync. Without its own sync it might be lost.
            try files.log.write(intents, trust: .synced, generation: generation, isEnding: true)
            try files.log.sync()
            trust = .thisEpoch
        }
        record = try files.log.write(intents, trust: trust, generation: generation)
        isLogged = true
    }

    /// Logs that a sync has failed, so that no later one is believed.
    func noteFailedSync() throws(CacheError) {
        record = try files?.log.write(
            intents, trust: trust, generation: generation, hasFailedSync: true)
        isLogged = true
    }

    /// Makes everything durable, under the write lock, and logs that it is, unless it throws.
    func sync(wal: String) throws {
        guard let files, trust != .synced else { return }
        try db.syncFile()
        try files.sync(wal: wal)
        record = try files.log.write(intents, trust: .synced, generation: generation)
        // If this record were lost, the first launch after a power cut would read everything.
        try files.log.sync()
        (trust, isLogged) = (.synced, true)
    }
}

extension SQLiteChunkStore {
    /// Runs the body in one transaction, committed when the call returns.
    ///
    /// Bytes that no row refers to any more are freed after the commit, under the lock again. A
    /// kill in between leaves that to the next writer.
    func change<Value>(
        atLaunch: Bool = false, isInDoubt: Bool = false, _ body: (IndexChange) throws -> Value
    ) throws(CacheError) -> Value {
        try expectWritable()
        var begun: IndexChange?
        do {
            return try commit(atLaunch: atLaunch, isInDoubt: isInDoubt, &begun, body)
        } catch {
            noteFailure(error)
            // The bytes just written may be what fills the disk, so they are freed.
            if let begun, begun.needsCommit {
                var next: IndexChange?
                try? commit(atLaunch: false, &next) { _ in }
            } else if let begun {
                free(begun.own, of: begun)
            }
            throw error
        }
    }

    private func commit<Value>(
        atLaunch: Bool, isInDoubt: Bool = false, _ begun: inout IndexChange?,
        _ body: (IndexChange) throws -> Value
    ) throws(CacheError) -> Value {
        let (value, change) = try transaction { db in
            let change = try IndexChange(
                db: db, files: files, atLaunch: atLaunch, isInDoubt: isInDoubt)
            noteBase(beginning: change)
            begun = change
            let value = try body(change)
            if change.own.deletesRows { readers.noteDrop() }
            try change.prepareCommit(base: base)
            return (value, change)
        }
        if change.frees, !change.needsDurableCommit || (try? system.sync(logPath)) != nil {
            free(change.intents, of: change, isCommitted: true)
        }
        return value
    }

    /// Frees what is orphaned of the extents; if that fails, the next writer does it.
    private func free(_ intents: Intents, of change: IndexChange, isCommitted: Bool = false) {
        guard let files, let record = change.record, !intents.isEmpty else { return }
        try? transaction { db in
            try files.free(
                intents, ofRecord: record, trust: isCommitted ? change.trustAfterwards : nil, in: db
            )
        }
    }

    private func transaction<Value>(
        _ body: (Database) throws -> Value
    ) throws(CacheError) -> Value {
        try access { db in
            try db.transaction(.immediate) {
                guard isInPlace else { throw CacheError.moved(path: path) }
                return try body(db)
            }
        }
    }
}
