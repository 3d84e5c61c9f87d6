internal import Glibc

/// How much this process may have open.
package enum OpenFiles {
    /// How many files and sockets at once (`getrlimit(2)`); nil where the system does not tell.
    package static var most: Int? {
        var limit = rlimit()
        let status = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return status == 0 ? Int(clamping: limit.rlim_cur) : nil
    }
}
