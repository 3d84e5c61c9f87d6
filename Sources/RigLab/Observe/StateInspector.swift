internal import CXXHash
package import Fixture
internal import GRDB
internal import Foundation
package import RigModel

/// Reads a copy of the state as the kill left it, with the rig's own SQL.
package struct StateInspector {
    /// Where and with which queries to look.
    let inspection: WorkerProfile.Inspection
    /// What every stored byte is compared with.
    let video: any VideoSource
    /// The URL under which the worker knows the video.
    let url: String

    /// An inspector of one video's state.
    package init(inspection: WorkerProfile.Inspection, video: any VideoSource, url: String) {
        self.inspection = inspection
        self.video = video
        self.url = url
    }

    /// Reads everything: integrity, chunks, checksums, every byte, claimed ranges.
    ///
    /// No database, or one in which nothing was ever committed, holds nothing: that is what a
    /// kill right after launch leaves. A file that is no database, or damaged, is a finding.
    ///
    /// - Parameter folder: a copy of the state; only a shared-memory file is added to it.
    /// - Returns: what is there.
    /// - Throws: what SQLite or the video's reader says when the state cannot be read.
    package func inspect(copy folder: String) throws -> Autopsy {
        let path = "\(folder)/\(inspection.database)"
        guard FileManager.default.fileExists(atPath: path) else { return Self.nothing }
        do {
            var configuration = GRDB.Configuration()
            // A connection that may not write leaves the log as it is: the copy stays evidence.
            configuration.readonly = true
            return try DatabaseQueue(path: path, configuration: configuration).read { database in
                guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0 > 0
                else { return Self.nothing }
                return try read(database)
            }
        } catch let error as DatabaseError
            where [.SQLITE_NOTADB, .SQLITE_CORRUPT].contains(error.resultCode)
        {
            return Autopsy(
                integrityCheck: error.message ?? "\(error.resultCode)", chunks: [],
                claimedRanges: ByteRanges(), firstDifference: nil)
        }
    }

    private static let nothing = Autopsy(
        integrityCheck: "ok", chunks: [], claimedRanges: ByteRanges(), firstDifference: nil)

    private func read(_ database: Database) throws -> Autopsy {
        var complaints = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        if complaints == ["ok"] { complaints = [] }
        var comparison = VideoComparison(video: video)
        var chunks: [StoredChunk] = []
        let rows = try Row.fetchCursor(database, sql: inspection.chunks, arguments: ["url": url])
        while let row = try rows.next() {
            if let chunk = try chunk(in: row, comparison: &comparison) {
                chunks.append(chunk)
            } else {
                complaints.append("a chunk at offset \(row["offset"] as DatabaseValue)")
            }
        }
        var claimed: [Range<Int64>] = []
        for row in try Row.fetchAll(database, sql: inspection.ranges, arguments: ["url": url]) {
            if let range = Self.range(row["offset"], length: Int64.fromDatabaseValue(row["length"]))
            {
                claimed.append(range)
            } else {
                complaints.append(
                    "a range at \(row["offset"] as DatabaseValue) of length "
                        + "\(row["length"] as DatabaseValue)")
            }
        }
        return Autopsy(
            integrityCheck: complaints.isEmpty ? "ok" : complaints.joined(separator: ", "),
            chunks: chunks, claimedRanges: ByteRanges(claimed),
            firstDifference: comparison.firstDifference)
    }

    /// A chunk compared with the video; nil when its row cannot be one.
    private func chunk(
        in row: Row, comparison: inout VideoComparison
    ) throws -> StoredChunk? {
        guard let checksum = Int64.fromDatabaseValue(row["checksum"]) else { return nil }
        return try row.withUnsafeData(named: "bytes") { data in
            guard let data, let range = Self.range(row["offset"], length: Int64(data.count)) else {
                return nil
            }
            return try data.withUnsafeBytes { bytes in
                StoredChunk(
                    range: range,
                    checksumMatches: XXH3_64bits(bytes.baseAddress, bytes.count)
                        == UInt64(bitPattern: checksum),
                    differingBytes: try comparison.differingBytes(bytes, at: range.lowerBound))
            }
        }
    }

    /// The positions a row claims; nil for what no file can have: what a worker stored may be
    /// anything, and must be a finding, never the end of the judge.
    private static func range(_ offset: DatabaseValue, length: Int64?) -> Range<Int64>? {
        guard case .int64(let start) = offset.storage, start >= 0, let length, length >= 0,
            start <= Int64.max / 2, length <= Int64.max / 2
        else { return nil }
        return start..<start + length
    }
}
