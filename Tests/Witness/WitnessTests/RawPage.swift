import Foundation
import Witness

/// A witness page in its own folder, with access to its raw bytes.
///
/// Positions are written out as the layout's table documents them, not taken from its constants, so
/// that a constant that moves is noticed.
final class RawPage {
    /// The page's file; it does not exist until it is mapped.
    let path: String
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("witness-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("page").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: offset)
        return try [UInt8](file.read(upToCount: count) ?? Data())
    }

    func number(at offset: UInt64, count: Int = 8) throws -> UInt64 {
        try bytes(at: offset, count: count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    func write(_ number: UInt64, at offset: UInt64, count: Int = 8) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seek(toOffset: offset)
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
        try file.write(contentsOf: Data(bytes))
    }

    func size() throws -> Int { try bytes(at: 0, count: 1 << 20).count }
}
