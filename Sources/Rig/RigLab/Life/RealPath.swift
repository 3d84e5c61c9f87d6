internal import Foundation
internal import Glibc

/// Paths that mean the same in every process.
enum RealPath {
    /// The absolute path; symbolic links are kept.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

    /// The absolute path without symbolic links; unchanged when the file does not exist.
    static func of(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
