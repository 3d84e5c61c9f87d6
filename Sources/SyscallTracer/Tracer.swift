/// Runs a program and counts its write- and sync-like system calls, over all its threads and
/// processes; kills it at one of them if asked to.
///
/// Only calls that can change files or make changes durable are counted: a write to a socket or a
/// pipe is none, nor is the removal of a file that is not there. So the count does not depend on
/// how bytes arrive.
///
/// While one counted call runs, the others wait at their entry: their order is the order in which
/// they take effect, and at a kill none but the one in question is under way. A call that waits for
/// another thread (`splice` from a pipe) holds up nobody.
///
/// Not seen are writes through mapped memory and through io_uring; the report names the latter.
package enum Tracer {
    /// Traces a program to its end.
    ///
    /// The calling thread is the tracer: it blocks, and the process may have no other children
    /// meanwhile. The program is killed when this process dies. Signals that ask this process to
    /// end are passed on to the program.
    ///
    /// - Parameters:
    ///   - settings: what to run, count and kill.
    ///   - environment: the program's environment.
    /// - Returns: what was seen.
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

    /// Ends this process the way a traced program ended.
    package static func end(like report: TraceReport) -> Never {
        #if os(Linux)
            LinuxTracer.end(like: report)
        #else
            fatalError("without a trace there is no report of one")
        #endif
    }
}
