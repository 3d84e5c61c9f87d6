internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Paths that mean the same whoever reads them.
enum RealPath {
    /// The path from the root on; its symbolic links stay.
    static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

    /// The absolute path without symbolic links; as given where there is no such file.
    static func of(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
