internal import CXXHash
internal import Fixture
internal import GRDB
internal import Foundation
internal import RigModel

/// Inspects a copy of the state as the kill left it, with the rig's own SQL.
struct StateInspector {
    let inspection: WorkerProfile.Inspection
    /// The videos that every stored byte is compared with, by the URLs that the worker knows.
    let space: PositionSpace

    /// Reads everything: integrity, chunks, checksums, every byte, claimed ranges.
    ///
    /// A missing database, or one in which nothing was ever committed, holds nothing: a kill right
    /// after launch leaves that. A file that is no database, or damaged, is a finding.
    func inspect(_ state: CopiedState) throws -> Autopsy {
        let files = try inspection.files.map { ChunkFiles(folder: try state.path($0.folder)) }
        return try CopiedDatabase.read(state.path(inspection.database)) {
            try read($0, files: files)
        }.autopsy { $0 }
    }

    private func read(_ database: Database, files: ChunkFiles?) throws -> Autopsy {
        var complaints = try String.fetchAll(database, sql: "PRAGMA integrity_check")
        if complaints == ["ok"] { complaints = [] }
        var chunks: [StoredChunk] = []
        var claimed: [Range<Int64>] = []
        var firstDifference: Difference?
        for part in space.parts {
            var reading = PartReading(part: part, isAlone: space.parts.count == 1)
            try readChunks(database, files: files, into: &reading)
            try readRanges(database, into: &reading)
            chunks += reading.chunks
            claimed += reading.claimed
            complaints += reading.complaints
            firstDifference = firstDifference ?? reading.firstDifference
        }
        return Autopsy(
            integrityCheck: complaints.isEmpty ? "ok" : complaints.joined(separator: ", "),
            chunks: chunks, claimedRanges: ByteRanges(claimed), firstDifference: firstDifference)
    }

    private func readChunks(
        _ database: Database, files: ChunkFiles?, into reading: inout PartReading
    ) throws {
        let layout = hasRows(database) ? nil : inspection.files
        let rows = try Row.fetchCursor(
            database, sql: layout?.chunks ?? inspection.chunks,
            arguments: ["url": reading.part.url])
        while let row = try rows.next() {
            if layout != nil, let files {
                try reading.addChunk(inFile: row, files)
            } else {
                try reading.addChunk(inRow: row)
            }
        }
    }

    /// False only where the query for chunks in rows fails and that for chunks in files works.
    private func hasRows(_ database: Database) -> Bool {
        guard let files = inspection.files,
            (try? database.makeStatement(sql: inspection.chunks)) == nil
        else { return true }
        return (try? database.makeStatement(sql: files.chunks)) == nil
    }

    private func readRanges(_ database: Database, into reading: inout PartReading) throws {
        guard let ranges = inspection.ranges else {
            reading.claimChunks()
            return
        }
        let rows = try Row.fetchAll(database, sql: ranges, arguments: ["url": reading.part.url])
        for row in rows { reading.addClaim(row) }
    }
}

/// What the state holds of one video, at its place among the others.
private struct PartReading: ~Copyable {
    let part: PositionSpace.Part
    let isAlone: Bool
    private(set) var chunks: [StoredChunk] = []
    private(set) var claimed: [Range<Int64>] = []
    private(set) var complaints: [String] = []
    private var comparison: VideoComparison

    init(part: PositionSpace.Part, isAlone: Bool) {
        (self.part, self.isAlone) = (part, isAlone)
        comparison = VideoComparison(video: part.source)
    }

    var firstDifference: Difference? {
        comparison.firstDifference.map {
            Difference(
                offset: $0.offset + part.base, found: $0.found, expected: $0.expected,
                diagnosis: $0.diagnosis)
        }
    }

    mutating func addChunk(inRow row: Row) throws {
        try row.withUnsafeData(named: "bytes") { data in
            guard let data, let range = Self.range(row["offset"], length: Int64(data.count)) else {
                complain("a chunk at offset \(row["offset"] as DatabaseValue)")
                return
            }
            try add(data, range: range, row: row)
        }
    }

    /// Adds a chunk whose bytes are in a file; bytes past the file's end count as different.
    mutating func addChunk(inFile row: Row, _ files: ChunkFiles) throws {
        guard
            let range = Self.range(row["offset"], length: Int64.fromDatabaseValue(row["length"])),
            let file = String.fromDatabaseValue(row["file"])
                ?? Int64.fromDatabaseValue(row["file"]).map(String.init)
        else {
            complain("a chunk at offset \(row["offset"] as DatabaseValue)")
            return
        }
        try add(
            try files.bytes(
                file: file, at: range.lowerBound, length: range.upperBound - range.lowerBound),
            range: range, row: row)
    }

    mutating func addClaim(_ row: Row) {
        if let range = Self.range(row["offset"], length: Int64.fromDatabaseValue(row["length"])),
            let place = placed(range)
        {
            claimed.append(place)
        } else {
            complain(
                "a range at \(row["offset"] as DatabaseValue) of length "
                    + "\(row["length"] as DatabaseValue)")
        }
    }

    /// Takes the chunks as the claimed ranges: the worker keeps no separate table of ranges.
    mutating func claimChunks() { claimed += chunks.map(\.range) }

    private mutating func add(_ bytes: Data, range: Range<Int64>, row: Row) throws {
        let keepsChecksum = row.hasColumn("checksum")
        let checksum: Int64? = keepsChecksum ? Int64.fromDatabaseValue(row["checksum"]) : nil
        guard let place = placed(range), !keepsChecksum || checksum != nil else {
            complain("a chunk at offset \(range.lowerBound)")
            return
        }
        let missing = range.upperBound - range.lowerBound - Int64(bytes.count)
        let (matches, differing) = try bytes.withUnsafeBytes { bytes in
            (
                checksum.map {
                    XXH3_64bits(bytes.baseAddress, bytes.count) == UInt64(bitPattern: $0)
                        && missing == 0
                },
                try comparison.differingBytes(bytes, at: range.lowerBound)
            )
        }
        chunks.append(
            StoredChunk(
                range: place, checksumMatches: matches, differingBytes: differing + missing))
    }

    private mutating func complain(_ text: String) {
        complaints.append(isAlone ? text : "\(text) of \(part.url)")
    }

    /// A range's place among all videos; nil for one that would reach into the next video.
    private func placed(_ range: Range<Int64>) -> Range<Int64>? {
        guard isAlone || range.upperBound <= part.source.length else { return nil }
        return range.lowerBound + part.base..<range.upperBound + part.base
    }

    /// The positions a row claims; nil for impossible ones.
    ///
    /// A worker may have stored anything: that has to be a finding, and must not crash the judge.
    private static func range(_ offset: DatabaseValue, length: Int64?) -> Range<Int64>? {
        guard case .int64(let start) = offset.storage, start >= 0, let length, length >= 0,
            start <= Int64.max / 2, length <= Int64.max / 2
        else { return nil }
        return start..<start + length
    }
}
