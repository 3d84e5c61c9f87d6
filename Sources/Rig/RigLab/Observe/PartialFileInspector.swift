internal import Fixture
internal import Foundation
internal import GRDB
internal import RigModel

/// Inspects a copied state that is one file with the video's first bytes, as many as the worker
/// claims.
///
/// The claim is the file's own length, a number in another file, or one in a database. Every
/// claimed byte is compared with the video. Bytes past the claimed length are ignored.
struct PartialFileInspector {
    let file: PartialFile
    /// The completed video: a worker may finish by renaming the file to it, and loses nothing then.
    let completed: String
    let video: any VideoSource
    /// The video's address, `:url` in a query.
    let url: String

    /// The largest length that is accepted: no file can have a larger one.
    private static let mostBytes = Int64.max / 2

    /// Inspects everything; a chunk of the result is a stretch of bytes that are right, or wrong.
    ///
    /// A missing file, or a missing length, holds nothing: a kill right after launch leaves that. A
    /// length that is no number is a finding, and so is a file with fewer bytes than it claims.
    func inspect(_ state: CopiedState) throws -> Autopsy {
        let path = try state.path(file.path)
        guard FileManager.default.fileExists(atPath: path) else {
            return try inspectCompleted(in: state, insteadOf: path)
        }
        return try claimedLength(of: path, in: state).autopsy { try compare(path, length: $0) }
    }

    /// Inspects the completed file, which may have replaced the missing one.
    private func inspectCompleted(in state: CopiedState, insteadOf path: String) throws -> Autopsy {
        // A completed file elsewhere is not part of the state.
        if let finished = try? state.path(completed), finished != path, let size = finished.fileSize
        {
            return try compare(finished, length: size)
        }
        guard case .value(let length) = try claimedLength(of: path, in: state) else {
            return .nothing
        }
        return try compare(path, length: length)
    }

    // MARK: The length

    private func claimedLength(
        of path: String, in state: CopiedState
    ) throws -> CopiedDatabase.Reading<Int64> {
        switch file.length {
        case .size: path.fileSize.map { .value($0) } ?? .nothing
        case .file(let name): try Self.number(inFile: try state.path(name))
        case .query(let database, let sql):
            try number(inDatabase: try state.path(database), sql: sql)
        }
    }

    private static func number(inFile path: String) throws -> CopiedDatabase.Reading<Int64> {
        guard FileManager.default.fileExists(atPath: path) else { return .nothing }
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        let name = (path as NSString).lastPathComponent
        let text = String(decoding: try handle.read(upToCount: 64) ?? Data(), as: UTF8.self)
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let number = Int64(word), (0...mostBytes).contains(number) else {
            return .damaged("\(name) holds no length: '\(word.prefix(32))'")
        }
        return .value(number)
    }

    private func number(
        inDatabase path: String, sql: String
    ) throws -> CopiedDatabase.Reading<Int64> {
        let row = try CopiedDatabase.read(path) { database in
            let statement = try database.makeStatement(sql: sql)
            return try DatabaseValue.fetchOne(statement, arguments: ["url": url])
        }
        switch row {
        case .nothing, .value(nil): return .nothing
        case .damaged(let complaint): return .damaged(complaint)
        case .value(let value?):
            guard case .int64(let number) = value.storage, (0...Self.mostBytes).contains(number)
            else { return .damaged("the query for the length gives \(value)") }
            return .value(number)
        }
    }

    // MARK: The bytes

    private func compare(_ path: String, length: Int64) throws -> Autopsy {
        var comparison = VideoComparison(video: video)
        var end: Int64 = 0
        if var file = FilePieces(path, pieceSize: VideoComparison.pieceSize) {
            end = try comparison.compare(&file, upTo: length).read
        }
        var wrong = comparison.stretches
        // Bytes that are missing, or lie past the video's end, count as different.
        let rest = min(end, video.length)..<length
        if !rest.isEmpty { wrong.append((rest, rest.upperBound - rest.lowerBound)) }
        let right = ByteRanges([0..<length]).subtracting(ByteRanges(wrong.map(\.range)))
        let stretches = wrong + right.ranges.map { ($0, 0) }
        let chunks = stretches.sorted { $0.range.lowerBound < $1.range.lowerBound }.map {
            StoredChunk(range: $0.range, checksumMatches: nil, differingBytes: $0.differingBytes)
        }
        return Autopsy(
            integrityCheck: "ok", chunks: chunks, claimedRanges: ByteRanges([0..<length]),
            firstDifference: comparison.firstDifference)
    }
}
