internal import Foundation
internal import Glibc

/// Paths that mean the same in every process.
enum RealPath {
    /// The absolute path; symbolic links are kept.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

    /// True if a file is really one of some files, or lies in one of some folders.
    static func isIn(_ places: [String], _ path: String) -> Bool {
        let real = of(path)
        return places.map(of).contains { real == $0 || $0 == "/" || real.hasPrefix($0 + "/") }
    }

    /// The absolute path without symbolic links; unchanged when the file does not exist.
    static func of(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
