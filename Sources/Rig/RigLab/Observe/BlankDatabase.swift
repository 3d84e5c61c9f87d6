internal import Foundation

/// A database whose length a power cut has left, filled with zeros: it holds nothing.
///
/// SQLite reports such a file as no database. Missing content is no damage by itself: the
/// acknowledged bytes show whether something should be there, and the relaunch shows whether the
/// worker can cope with it.
enum BlankDatabase {
    /// True when the file's first sector is all zeros.
    static func isBlank(_ path: String) throws -> Bool {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let sector = try file.read(upToCount: 512) ?? Data()
        return !sector.isEmpty && sector.allSatisfy { $0 == 0 }
    }
}
