internal import RigModel
internal import SyscallTracer

/// A worker's life under the tracer, which counts system calls and may kill the worker at one.
struct Tracing: Sendable {
    /// The `rig` program: the tracer is a separate process.
    let tracer: String
    let folder: IterationFolder
    /// The call at which to kill; nil to let the worker run.
    var moment: CallMoment?
    /// Where the worker's changes to its state are logged; nil for no log.
    var record: String?

    /// The worker's command under the tracer.
    func command(_ worker: [String]) -> [String] {
        var command = [tracer, Self.commandName, "--report", folder.traceReport]
        command += ["--under", folder.state]
        if let record { command += ["--record", record] }
        if let moment {
            command += ["--kill-at", "\(moment.ordinal)", "--edge", moment.edge.rawValue]
        }
        return command + ["--"] + worker
    }

    /// The hidden command of `rig` that traces.
    static let commandName = "trace"

    /// The tracer's report; nil when the tracer was killed before it could write one.
    var report: TraceReport? {
        get throws { try TraceReport.read(path: folder.traceReport) }
    }

    /// How many calls were counted; 0 without a report.
    var counted: Int {
        get throws { try report?.counted ?? 0 }
    }
}

extension TraceReport {
    /// True when the tracer killed the worker at the given call.
    func isKilled(at moment: CallMoment) -> Bool {
        kill?.call.ordinal == moment.ordinal && kill?.edge.rawValue == moment.edge.rawValue
            && signal == 9
    }

    /// The report in the model's terms.
    var calls: CountedCalls {
        CountedCalls(
            counted: counted,
            last: kill.map { kill in
                let place = kill.call.offset.map { " at \($0)" } ?? ""
                let length = kill.call.length.map { ", \($0) bytes" } ?? ""
                return "\(kill.edge.rawValue) \(kill.call.name) \(kill.call.path)\(place)\(length)"
            })
    }
}
