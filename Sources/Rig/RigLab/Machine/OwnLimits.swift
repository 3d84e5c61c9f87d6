internal import Glibc
internal import RigModel

/// The limits that the rig and its workers were started with (`setrlimit(2)`); it sets none.
package struct OwnLimits: Sendable {
    /// The most bytes of a file (`ulimit -f`); nil for no limit.
    var fileBytes: UInt64?
    /// The most seconds of processor time of a process (`ulimit -t`); nil for no limit.
    var processorSeconds: UInt64?
    /// The most bytes of memory of a process (`ulimit -v`, `ulimit -d`); nil for no limit.
    var memoryBytes: UInt64?

    static let ofThisProcess = OwnLimits(
        fileBytes: limit(RLIMIT_FSIZE), processorSeconds: limit(RLIMIT_CPU),
        memoryBytes: [limit(RLIMIT_AS), limit(RLIMIT_DATA)].compactMap(\.self).min())

    /// How many files and sockets this process may have open at once.
    package static var openFiles: Int { Int(clamping: limit(RLIMIT_NOFILE) ?? .max) }

    private static func limit(_ resource: __rlimit_resource) -> UInt64? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0,
            limit.rlim_cur != rlim_t.max
        else { return nil }
        return UInt64(limit.rlim_cur)
    }

    /// The limit that ended a process, in words with a remedy; nil where none explains its end.
    ///
    /// A limit that the worker has set for itself is its own affair. Of one of processor time the
    /// kernel tells by SIGXCPU first, and by signal 9 at the hard limit. A shell exits with 128 and
    /// the number of the signal that ended its program.
    func cause(of death: Death) -> String? {
        switch death {
        case .signaled(SIGXFSZ), .exited(128 + SIGXFSZ): fileBytes.map(Self.ofFiles)
        case .signaled(SIGXCPU), .exited(128 + SIGXCPU), .signaled(SIGKILL), .exited(128 + SIGKILL):
            processorSeconds.map {
                "the rig was started with a limit of \($0) s of processor time (ulimit -t), which"
                    + " its workers have, too; raise it"
            }
        default: nil
        }
    }

    private static func ofFiles(_ bytes: UInt64) -> String {
        "the rig was started with a limit of \(MetricUnit.readableBytes(Double(bytes))) for the size"
            + " of a file (ulimit -f), which its workers have, too; raise it"
    }

    /// What may keep a worker from its work, to append to a message; empty where nothing does.
    var advice: String {
        memoryBytes.map {
            "; the rig was started with a limit of \(MetricUnit.readableBytes(Double($0))) of memory"
                + " for each process (ulimit -v or -d), which its workers have, too"
        } ?? ""
    }

    /// The error (69) for a run whose largest file may not grow to `needed` bytes; nil if it may.
    func shortage(needed: Int64) -> RigError? {
        guard let fileBytes, fileBytes < UInt64(max(0, needed)) else { return nil }
        let wanted = MetricUnit.readableBytes(Double(needed))
        return RigError.unavailable(
            Self.ofFiles(fileBytes)
                + " to \(wanted) at least: what a worker does at this limit shows"
                + " nothing")
    }
}
