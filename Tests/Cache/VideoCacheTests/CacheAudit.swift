import Foundation
import GRDB
import Glibc
@testable import VideoCache

/// Checks a cache's folder with its own SQL and file calls.
struct CacheAudit {
    /// The broken promises, in words; none in a healthy cache.
    private(set) var complaints: [String] = []
    private(set) var chunkBytes: Int64 = 0
    private(set) var videos: Set<Int64> = []

    /// Checks a folder; without its files before the launch that cleans up after a kill.
    init(folder: String, capacity: Int64? = nil, includingFiles: Bool = true) throws {
        var configuration = GRDB.Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(60)
        let queue = try DatabaseQueue(path: folder + "/cache.sqlite", configuration: configuration)
        try queue.read { db in
            try look(at: db)
            if let capacity, chunkBytes > capacity {
                complaints.append("\(chunkBytes) bytes under a limit of \(capacity)")
            }
            let columns = try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_info('chunk')")
            if includingFiles, !columns.contains("bytes") {
                try lookAtFiles(folder: folder + "/data", db)
            }
        }
        try queue.close()
    }

    private mutating func look(at db: Database) throws {
        let integrity = try String.fetchAll(db, sql: "PRAGMA integrity_check")
        if integrity != ["ok"] { complaints += integrity }
        videos = try Int64.fetchSet(db, sql: "SELECT id FROM video")
        var chunks: [Int64: [ByteRange]] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT video_id, offset, length FROM chunk ORDER BY video_id, offset")
        {
            let range = ByteRange(offset: row[1], length: row[2])
            if let last = chunks[row[0], default: []].last, last.end > range.offset {
                complaints.append("chunks of video \(row[0] as Int64) overlap at \(range.offset)")
            }
            chunks[row[0], default: []].append(range)
            chunkBytes += range.length
        }
        for id in Set(chunks.keys).subtracting(videos) {
            complaints.append("chunks of video \(id), which is gone")
        }
        try compare(chunks, with: db)
    }

    private mutating func compare(_ chunks: [Int64: [ByteRange]], with db: Database) throws {
        var ranges: [Int64: [ByteRange]] = [:]
        for row in try Row.fetchAll(
            db, sql: "SELECT video_id, offset, length FROM cached_range ORDER BY video_id, offset")
        {
            ranges[row[0], default: []].append(ByteRange(offset: row[1], length: row[2]))
        }
        for id in Set(chunks.keys).union(ranges.keys) {
            let union = ByteRangeSet(chunks[id, default: []]).ranges
            if union != ranges[id, default: []] {
                complaints.append("ranges of video \(id) are not the union of its chunks")
            }
        }
        let total = try Int64.fetchOne(db, sql: "SELECT bytes FROM chunk_total")
        if total != chunkBytes { complaints.append("a total of \(total ?? -1), not \(chunkBytes)") }
        let strays = try Int.fetchOne(
            db,
            sql: """
                SELECT COUNT(*) FROM (
                    SELECT video_id, offset FROM chunk EXCEPT
                    SELECT video_id, offset FROM chunk_use)
                """)
        let orphans = try Int.fetchOne(
            db,
            sql: """
                SELECT COUNT(*) FROM (
                    SELECT video_id, offset FROM chunk_use EXCEPT
                    SELECT video_id, offset FROM chunk)
                """)
        if strays != 0 || orphans != 0 { complaints.append("use and chunks do not match") }
    }

    /// Every byte on disk belongs to a chunk, except for the rest of a partly used block.
    private mutating func lookAtFiles(folder: String, _ db: Database) throws {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names where name != "journal" {
            let held = try Row.fetchAll(
                db, sql: "SELECT offset, length FROM chunk WHERE video_id = ?",
                arguments: [Int64(name)]
            ).map { ByteRange(offset: $0[0], length: $0[1]) }
            if held.isEmpty { complaints.append("a file \(name) without chunks") }
            var blocks = ByteRangeSet()
            for range in held {
                blocks.insert(ByteRange(from: range.offset / 4096 * 4096, to: range.end + 4095))
            }
            let orphaned = Self.dataExtents(of: folder + "/" + name).filter { !blocks.contains($0) }
            if !orphaned.isEmpty {
                complaints.append("bytes of no chunk in \(name): \(orphaned.prefix(3)), of \(held)")
            }
        }
    }

    /// The extents of the file that have blocks.
    static func dataExtents(of path: String) -> [ByteRange] {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        let (data, hole): (Int32, Int32) = (3, 4)
        var extents: [ByteRange] = []
        var position: off_t = 0
        while true {
            let start = lseek(descriptor, position, data)
            guard start >= 0 else { return extents }
            position = lseek(descriptor, start, hole)
            guard position > start else { return extents }
            extents.append(ByteRange(from: Int64(start), to: Int64(position)))
        }
    }
}
