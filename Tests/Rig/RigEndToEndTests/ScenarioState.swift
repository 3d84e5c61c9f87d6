import Fixture
import Foundation
import GRDB
import RigModel
import Testing

/// A cache on disk: a copy, read with separate SQL, in both layouts.
struct ScenarioState {
    struct Chunk {
        let range: Range<Int64>
        let bytes: Data
    }

    /// All chunks of each video, by its address.
    private(set) var chunks: [String: [Chunk]] = [:]
    /// The ranges that the cache itself counts as stored.
    private(set) var claimed: [String: ByteRanges] = [:]
    /// Inconsistencies; none in a healthy cache.
    private(set) var complaints: [String] = []
    /// The total bytes of all chunks.
    private(set) var totalBytes: Int64 = 0
    /// Data files without a video, and bytes in files without a chunk.
    private(set) var orphans: [String] = []

    /// Copies a cache's folder, which no process writes any more, and reads the copy.
    init(copyOf folder: String, _ place: Workplace) throws {
        let copy = place.path("copy-\(UUID())")
        let files = FileManager.default
        try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: copy) }
        for name in try files.contentsOfDirectory(atPath: folder) where !name.hasSuffix("-shm") {
            try files.copyItem(atPath: "\(folder)/\(name)", toPath: "\(copy)/\(name)")
        }
        let queue = try DatabaseQueue(path: copy + "/cache.sqlite")
        try queue.read { try read($0, folder: copy) }
        try queue.close()
    }

    private mutating func read(_ db: Database, folder: String) throws {
        complaints += try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('chunk')")
        let isRows = columns.contains("bytes")
        for video in try Row.fetchAll(db, sql: "SELECT id, url FROM video") {
            let (id, url): (Int64, String) = (video[0], video[1])
            let file = isRows ? nil : FileManager.default.contents(atPath: "\(folder)/data/\(id)")
            chunks[url] = try Row.fetchAll(
                db, sql: "SELECT * FROM chunk WHERE video_id = ? ORDER BY offset", arguments: [id]
            ).map { try chunk($0, file: file, isRows: isRows) }
            claimed[url] = ByteRanges(
                try Row.fetchAll(
                    db, sql: "SELECT offset, length FROM cached_range WHERE video_id = ?",
                    arguments: [id]
                ).map { $0[0]..<($0[0] as Int64) + ($0[1] as Int64) })
            let union = ByteRanges(chunks[url, default: []].map(\.range))
            if union != claimed[url] { complaints.append("\(url) claims other ranges") }
        }
        try count(db)
        if !isRows { try findOrphans(db, in: folder + "/data") }
    }

    private func chunk(_ row: Row, file: Data?, isRows: Bool) throws -> Chunk {
        let (offset, length): (Int64, Int64) = (row["offset"], row["length"])
        let bytes: Data =
            isRows
            ? row["bytes"]
            : (file ?? Data()).dropFirst(Int(offset)).prefix(Int(length))
        return Chunk(range: offset..<offset + length, bytes: bytes)
    }

    private mutating func count(_ db: Database) throws {
        totalBytes = try Int64.fetchOne(db, sql: "SELECT IFNULL(SUM(length), 0) FROM chunk") ?? 0
        let counted = try Int64.fetchOne(db, sql: "SELECT bytes FROM chunk_total")
        if counted != totalBytes { complaints.append("the total is off") }
        for (table, other) in [("chunk", "chunk_use"), ("chunk_use", "chunk")] {
            let strays = try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM (SELECT video_id, offset FROM \(table)
                        EXCEPT SELECT video_id, offset FROM \(other))
                    """)
            if strays != 0 { orphans.append("\(table) without \(other)") }
        }
        for table in ["chunk", "cached_range", "chunk_use"] {
            let strays = try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM \(table) WHERE video_id NOT IN (SELECT id FROM video)
                    """)
            if strays != 0 { orphans.append("\(table) of videos that are gone") }
        }
    }

    private mutating func findOrphans(_ db: Database, in folder: String) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name != "journal" {
            let held = try Row.fetchAll(
                db, sql: "SELECT offset, length FROM chunk WHERE video_id = ?",
                arguments: [Int64(name)]
            ).map { $0[0]..<($0[0] as Int64) + ($0[1] as Int64) }
            let file = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
            var rest = file
            for range in held where range.lowerBound < file.count {
                let end = min(Int(range.upperBound), file.count)
                rest.resetBytes(in: Int(range.lowerBound)..<end)
            }
            if held.isEmpty {
                orphans.append("the file \(name)")
            } else if rest != Data(count: rest.count) {
                orphans.append("bytes in the file \(name)")
            }
        }
    }

    /// The stored ranges of a video that equal it, byte for byte.
    func recovered(of url: String, as video: MemoryVideo) throws -> ByteRanges {
        ByteRanges(
            try chunks[url, default: []].filter { chunk in
                guard chunk.range.upperBound <= video.length else { return false }
                return try chunk.bytes == Data(video.bytes(in: chunk.range))
            }.map(\.range))
    }

    /// Expects a sound cache, in which every chunk equals the video's bytes.
    func expectSound(
        _ url: String, as video: MemoryVideo, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(complaints == [], sourceLocation: sourceLocation)
        let recovered = try recovered(of: url, as: video)
        #expect(recovered == claimed[url, default: ByteRanges()], sourceLocation: sourceLocation)
    }

    /// Expects that exactly these ranges of a video are saved, with the right bytes.
    func expect(
        _ ranges: [Range<Int64>], of url: String, as video: MemoryVideo,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expectSound(url, as: video, sourceLocation: sourceLocation)
        #expect(
            try recovered(of: url, as: video) == ByteRanges(ranges), sourceLocation: sourceLocation)
    }

    /// Expects commits of a threshold each, and a last one of the remainder (B8).
    ///
    /// A read takes up to a sixteenth of the threshold from the socket, and a commit comes before
    /// the read that could exceed the threshold (B1).
    func expectCommits(of url: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let lengths = chunks[url, default: []].map { Int64($0.range.count) }
        let full = Stage.threshold - Stage.threshold / 16 + 1...Stage.threshold
        #expect(lengths.dropLast().allSatisfy(full.contains), sourceLocation: sourceLocation)
        #expect((lengths.last ?? 0) <= Stage.threshold, sourceLocation: sourceLocation)
    }

    /// How many bytes of a video a cache in use holds.
    static func savedBytes(of url: String, in folder: String) -> Int64 {
        query(
            folder,
            """
            SELECT IFNULL(SUM(chunk.length), 0) FROM chunk
            JOIN video ON video.id = chunk.video_id WHERE video.url = ?
            """, [url]
        ).first ?? 0
    }

    /// How many bytes a cache in use holds.
    static func savedBytes(in folder: String) -> Int64? {
        query(folder, "SELECT IFNULL(SUM(length), 0) FROM chunk").first
    }

    /// The numbers that a question to a cache in use finds; none while it has no database.
    fileprivate static func query(
        _ folder: String, _ sql: String, _ arguments: StatementArguments = []
    ) -> [Int64] {
        guard FileManager.default.fileExists(atPath: folder + "/cache.sqlite") else { return [] }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(60)
        let queue = try? DatabaseQueue(path: folder + "/cache.sqlite", configuration: configuration)
        return (try? queue?.read { try Int64.fetchAll($0, sql: sql, arguments: arguments) }) ?? []
    }
}

extension Workplace {
    /// The lengths of the chunks that are stored in the folder `cache`.
    func chunkLengths() -> [Int64] {
        ScenarioState.query(path("cache"), "SELECT length FROM chunk")
    }
}
