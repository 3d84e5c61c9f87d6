#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Paths as the kernel tells them.
enum RealPath {
    /// The absolute path without symbolic links; as given where there is no such file.
    static func of(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
