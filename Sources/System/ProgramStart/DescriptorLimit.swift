internal import Foundation

package enum DescriptorLimit {
    /// Raises the limit as far as this user may; only for a program that starts no others, which
    /// would inherit it: the usual 1,024 is for those that call `select`.
    package static func raise() {
        var limit = rlimit()
        #if canImport(Glibc)
            let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // What is refused leaves the limit as it was, and the server holds to that.
        _ = setrlimit(files, &limit)
    }
}
