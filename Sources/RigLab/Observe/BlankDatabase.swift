internal import Foundation

/// A database of which a power cut has left the length, and zeros: it holds nothing.
///
/// SQLite calls such a file no database. That nothing is there is no damage by itself: whether
/// something should be, the acknowledged bytes say, and whether the worker can live with it, its
/// relaunch.
enum BlankDatabase {
    /// True when the file's first sector is all zeros.
    static func isBlank(_ path: String) throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let sector = try file.read(upToCount: 512) ?? Data()
        return !sector.isEmpty && sector.allSatisfy { $0 == 0 }
    }
}
