internal import Foundation
internal import RigModel

/// Copies the state that a kill left behind: verifying must not change the evidence.
///
/// Opening a SQLite database runs its recovery, so the rig opens a copy. The write-ahead log goes
/// with the database; the shared-memory file is left out, because it is rebuilt from the log.
enum StateCopy {
    /// Copies a folder's files, and the folders in it, to a new folder, replacing what is there.
    ///
    /// - Throws: ``RigError`` with exit code 70 when a file cannot be copied.
    static func copy(from source: String, to target: String) throws {
        let files = FileManager.default
        do {
            if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
            try files.createDirectory(atPath: target, withIntermediateDirectories: true)
            for name in try files.contentsOfDirectory(atPath: source)
            where !name.hasSuffix("-shm") {
                try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(target)/\(name)")
            }
        } catch {
            throw RigError(
                .failure, "cannot copy the worker's state \(source): \(error.localizedDescription)")
        }
    }
}
