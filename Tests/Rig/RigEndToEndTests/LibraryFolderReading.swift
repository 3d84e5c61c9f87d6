import Foundation
import GRDB

/// A library's folder, read with the tests' own SQL.
struct LibraryReading {
    let folder: String

    private var path: String { folder + "/library.sqlite" }

    /// A separate connection; it writes nothing unless told to.
    func connection() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// The stored list's generation, 0 for none; throws if it is not a whole list that was served.
    private static func generation(in db: Database) throws -> Int {
        let isSaved = try Int.fetchOne(db, sql: "SELECT count(*) FROM library") == 1
        let rows = try Row.fetchAll(db, sql: "SELECT * FROM library_video ORDER BY position")
        guard isSaved else {
            guard rows.isEmpty else { throw TornLibrary(what: "videos without a list") }
            return 0
        }
        let titles = rows.map { $0["title"] as String }
        let generation = titles.first?.split(separator: ".").first.flatMap { Int($0) } ?? 0
        let expected = (0..<LibraryOrigin.videoCount(generation)).map { "\(generation).\($0)" }
        let ids = rows.indices.map { LibraryOrigin.id(generation, $0) }
        guard generation > 0, titles == expected, rows.map({ $0["id"] as String }) == ids else {
            throw TornLibrary(what: "a list of \(titles)")
        }
        return generation
    }

    /// The current generation; 0 if there is no database.
    func generation() throws -> Int {
        guard FileManager.default.fileExists(atPath: path) else { return 0 }
        return try connection().read { db in
            guard try db.tableExists("library_video") else { return 0 }
            guard try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok" else {
                throw TornLibrary(what: "a damaged database")
            }
            return try Self.generation(in: db)
        }
    }

    /// The files of the image folder.
    func imageFiles() throws -> [String: Data] {
        let images = folder + "/images"
        guard FileManager.default.fileExists(atPath: images) else { return [:] }
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: images) {
            files[name] = FileManager.default.contents(atPath: images + "/" + name)
        }
        return files
    }
}

struct TornLibrary: Error {
    let what: String
}
