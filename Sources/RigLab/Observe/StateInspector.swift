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
        let check = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        var comparison = VideoComparison(video: video)
        var chunks: [StoredChunk] = []
        let rows = try Row.fetchCursor(database, sql: inspection.chunks, arguments: ["url": url])
        while let row = try rows.next() {
            let offset: Int64 = row["offset"]
            let checksum: Int64 = row["checksum"]
            chunks.append(
                try row.withUnsafeData(named: "bytes") { data in
                    try (data ?? Data()).withUnsafeBytes { bytes in
                        StoredChunk(
                            range: offset..<offset + Int64(bytes.count),
                            checksumMatches: XXH3_64bits(bytes.baseAddress, bytes.count)
                                == UInt64(bitPattern: checksum),
                            differingBytes: try comparison.differingBytes(bytes, at: offset))
                    }
                })
        }
        let ranges = try Row.fetchAll(database, sql: inspection.ranges, arguments: ["url": url])
        return Autopsy(
            integrityCheck: check.joined(separator: "; "), chunks: chunks,
            claimedRanges: ByteRanges(
                ranges.map { row in row["offset"]..<row["offset"] + row["length"] }),
            firstDifference: comparison.firstDifference)
    }
}
