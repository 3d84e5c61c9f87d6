internal import Glibc

/// How much this process may have open.
package enum OpenFiles {
    /// How many files and sockets at once (`getrlimit(2)`).
    package static var most: Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
