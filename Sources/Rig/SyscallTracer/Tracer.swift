/// Runs a program and counts its write- and sync-like system calls, over all its threads and
/// processes; kills it at one of them if asked to.
///
/// Only calls that can change files or make changes durable are counted: not a write to a socket or
/// a pipe, and not the removal of a file that does not exist. The count therefore does not depend
/// on how bytes arrive.
///
/// While one counted call runs, the others wait at their entry. Their order is thus the order in
/// which they take effect, and at a kill only the call in question is under way. A call that waits
/// for another thread (`splice` from a pipe) does not hold up others.
///
/// Writes through mapped memory and through io_uring are not seen; the report names the latter.
package enum Tracer {
    /// Traces a program to its end.
    ///
    /// The calling thread is the tracer: it blocks, and the process must have no other children
    /// meanwhile. The program is killed when this process dies. Termination signals to this process
    /// are passed on to the program.
    ///
    /// - Parameters:
    ///   - settings: what to run, count and kill.
    ///   - environment: the program's environment.
    /// - Returns: what was observed.
    /// - Throws: ``TraceError`` when the program cannot be started or traced.
    package static func trace(
        _ settings: TraceSettings, environment: [String: String]
    ) throws(TraceError) -> TraceReport {
        #if os(Linux)
            return try LinuxTracer.trace(settings, environment: environment)
        #else
            throw TraceError.needsLinux
        #endif
    }

    /// Ends this process in the way the traced program ended.
    package static func end(like report: TraceReport) -> Never {
        #if os(Linux)
            LinuxTracer.end(like: report)
        #else
            fatalError("without a trace there is no report of one")
        #endif
    }
}
