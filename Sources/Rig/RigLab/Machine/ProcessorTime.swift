internal import Glibc

/// Processor time used so far, in seconds, user and system together.
package struct ProcessorTime: Sendable {
    package let rig: Double
    /// Used by its children that have ended: workers, tracers, and programs that make file systems.
    package let children: Double

    package static var now: ProcessorTime {
        var rig = rusage()
        var children = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &rig)
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &children)
        return ProcessorTime(rig: seconds(rig), children: seconds(children))
    }

    private static func seconds(_ usage: rusage) -> Double {
        seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
    }
}
