package import Foundation
internal import GRDB
package import VideoCache

/// Stores the list in an SQLite database, `library.sqlite` in the library's folder (O1, O4).
///
/// One call is one transaction. SQLite rolls back what a kill interrupted when the database is next
/// opened. Several processes may use one library; the last list saved is kept.
package final class SQLiteVideoStore: VideoStore {
    let queue: DatabaseQueue
    let path: String
    private let home: IndexFiles

    /// Opens the store in a library's folder; if this throws, nothing that existed is changed.
    package init(
        folder: String, access: CacheAccess = .readWrite, durability: Durability = .process
    ) throws(LibraryError) {
        path = folder + "/" + LibrarySchema.fileName
        if access == .readWrite {
            try LibraryFolder.create(folder)
        } else {
            do { try OpenFile.expectVisible(path) } catch { throw LibraryError(error) }
            guard FileManager.default.fileExists(atPath: path) else {
                throw .absent(folder: folder)
            }
        }
        queue = try Self.open(path, in: folder, access: access, durability: durability)
        home = IndexFiles(path)
    }

    private static func open(
        _ path: String, in folder: String, access: CacheAccess, durability: Durability
    ) throws(LibraryError) -> DatabaseQueue {
        func connect(_ name: String, alone: Bool) throws -> DatabaseQueue {
            let isReading = access == .readOnly
            let configuration = GRDB.Configuration(reading: isReading, alone: alone) { db in
                guard isReading else {
                    return try LibrarySchema.prepare(
                        db, path: path, in: folder, durability: durability)
                }
                if try LibrarySchema.isNew(db, path: path) {
                    throw LibraryError.absent(folder: folder)
                }
            }
            return try DatabaseQueue(path: name, configuration: configuration)
        }
        do {
            // A look writes nothing, as for the cache: not on a full disk, nor in another user's folder.
            if access == .readOnly { return try IndexFiles(path).observe(connect) }
            try LogIndexRoom.expect(in: folder)
            do {
                return try connect(path, alone: false)
            } catch let error as DatabaseError
                where error.isOfLogIndex && error.extendedResultCode != .SQLITE_IOERR_SHMSIZE
            {
                // Where the WAL index cannot be shared between processes, this one uses the database
                // alone, as for the cache.
                OwnFolder.removeEmptyLog(of: path)
                return try connect(path, alone: true)
            }
        } catch {
            throw libraryError(error, path: path, isOpening: true)
        }
    }

    /// Removes the list from the library in a folder; needs no free disk space (O7), but on a full
    /// disk that no other process has the library open.
    package static func clear(inFolder folder: String) throws(LibraryError) {
        do throws(LibraryError) {
            let store = try SQLiteVideoStore(folder: folder, access: .existing)
            // Also if it fails: the database can only be emptied when it is closed.
            defer { try? store.close() }
            try store.deleteCachedVideos()
        } catch {
            guard case .diskFull(let path) = error else { throw error }
            do throws(LibraryError) {
                // A look tells whether it is a library's.
                try SQLiteVideoStore(folder: folder, access: .readOnly).close()
            } catch .absent {
                return
            }
            do { try OwnFolder.empty(database: path) } catch { throw LibraryError(error) }
        }
    }

    package func deleteCachedVideos() throws(LibraryError) {
        try transaction(.immediate) { db in try Self.delete(in: db) }
    }

    package func insert(_ videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let list = CachedVideoList(videos: videos, timestamp: timestamp)
        try list.expectStorable()
        try transaction(.immediate) { db in
            guard try Self.timestamp(in: db) == nil else { throw LibraryError.listExists }
            try Self.insert(list, in: db)
        }
    }

    /// Replaces the list, in one transaction (O4).
    package func replace(with videos: [LibraryVideo], timestamp: Date) throws(LibraryError) {
        let list = CachedVideoList(videos: videos, timestamp: timestamp)
        try list.expectStorable()
        try transaction(.immediate) { db in
            try Self.delete(in: db)
            try Self.insert(list, in: db)
        }
    }

    package func retrieve() throws(LibraryError) -> CachedVideoList? {
        try transaction(.deferred) { db in try list(in: db) }
    }

    private func list(in db: Database) throws -> CachedVideoList? {
        guard let timestamp = try Self.timestamp(in: db) else { return nil }
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM library_video ORDER BY position")
        let videos = try rows.enumerated().map { index, row in
            guard let video = try? Self.video(row), row["position"] == index else {
                throw LibraryError.notALibrary(path: path, reason: "a damaged list")
            }
            return video
        }
        return CachedVideoList(videos: videos, timestamp: Date(timeIntervalSince1970: timestamp))
    }

    /// Runs the body while this is the stored list, and none replaces it; nil if it is not.
    func whileStored<Value>(
        _ videos: [LibraryVideo], _ body: () throws -> Value
    ) throws(LibraryError) -> Value? {
        try transaction(.immediate) { db -> Value? in
            guard try list(in: db)?.videos == videos else { return nil }
            return try body()
        }
    }

    /// Checkpoints the WAL and closes the database.
    package func close() throws(LibraryError) {
        do { try queue.close() } catch { throw Self.libraryError(error, path: path) }
    }

    private func transaction<Value>(
        _ kind: Database.TransactionKind, _ body: (Database) throws -> Value
    ) throws(LibraryError) -> Value {
        do {
            return try queue.writeWithoutTransaction { db in
                guard db.sqliteConnection != nil else { throw LibraryError.closed(path: path) }
                return try db.transaction(kind) {
                    // Another library may have begun in its place, with images of the same names.
                    guard kind == .deferred || IndexFiles(path).isSameDatabase(as: home) else {
                        throw LibraryError.files(.moved(path: path))
                    }
                    return try body(db)
                }
            }
        } catch {
            throw Self.libraryError(error, path: path)
        }
    }
}

extension SQLiteVideoStore {
    private static func delete(in db: Database) throws {
        try db.execute(sql: "DELETE FROM library_video")
        try db.execute(sql: "DELETE FROM library")
    }

    private static func insert(_ list: CachedVideoList, in db: Database) throws {
        try db.execute(
            sql: "INSERT INTO library (id, timestamp) VALUES (1, ?)",
            arguments: [list.timestamp.timeIntervalSince1970])
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO library_video
                    (position, id, title, description, url, thumbnail_url, duration)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        for (position, video) in list.videos.enumerated() {
            try statement.execute(arguments: [
                position, video.id.uuidString, video.title, video.description, video.url,
                video.thumbnailURL, video.duration,
            ])
        }
    }

    private static func timestamp(in db: Database) throws -> Double? {
        try Double.fetchOne(db, sql: "SELECT timestamp FROM library")
    }

    /// The row's video; throws if this store cannot have written the row.
    private static func video(_ row: Row) throws -> LibraryVideo? {
        guard let id = UUID(uuidString: try row.value(1)) else { return nil }
        return LibraryVideo(
            id: id, title: try row.value(2), description: try row.valueIfAny(3),
            url: try row.value(4), thumbnailURL: try row.valueIfAny(5),
            duration: try row.valueIfAny(6))
    }

    private static func libraryError(
        _ error: any Error, path: String, isOpening: Bool = false
    ) -> LibraryError {
        if let error = error as? LibraryError { return error }
        return LibraryError(SQLiteChunkStore.cacheError(error, path: path, isOpening: isOpening))
    }
}
