#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// How much this process may have open.
package enum OpenFiles {
    /// How many files and sockets at once (`getrlimit(2)`); nil where the system does not tell.
    package static var most: Int? {
        var limit = rlimit()
        #if canImport(Glibc)
            let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            let status = getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        return status == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
}
