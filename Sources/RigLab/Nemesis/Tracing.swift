internal import RigModel
internal import SyscallTracer

/// A worker's life under the tracer, which counts its calls and may kill it at one of them.
struct Tracing: Sendable {
    /// The `rig` program: the tracer is a process of its own.
    let tracer: String
    let folder: IterationFolder
    /// The call at which to kill; nil to let the worker run.
    var moment: CallMoment?

    /// The worker's command under the tracer.
    func command(_ worker: [String]) -> [String] {
        var command = [tracer, Self.commandName, "--report", folder.traceReport]
        command += ["--under", folder.state]
        if let moment {
            command += ["--kill-at", "\(moment.ordinal)", "--edge", moment.edge.rawValue]
        }
        return command + ["--"] + worker
    }

    /// The hidden command of `rig` that traces.
    static let commandName = "trace"

    /// What the tracer reports; nil when it was killed before it could.
    var report: TraceReport? {
        get throws { try TraceReport.read(path: folder.traceReport) }
    }

    /// How many calls were counted; 0 without a report.
    var counted: Int {
        get throws { try report?.counted ?? 0 }
    }
}

extension TraceReport {
    /// True when the tracer killed where it was told to.
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

extension Workbench {
    /// A worker's life under the tracer.
    ///
    /// - Throws: ``RigError`` with exit code 70 when the rig's own program is not known.
    func tracing(in folder: IterationFolder, at moment: CallMoment? = nil) throws -> Tracing {
        guard let tracer = settings.tracer else {
            throw RigError(
                .failure, "the rig does not know its own program, which traces; reinstall rig")
        }
        return Tracing(tracer: tracer, folder: folder, moment: moment)
    }

    /// Launches a worker and has it killed at the planned moment: by the nemesis, or by the tracer
    /// where the moment is a call.
    func strike(
        _ command: [String], by nemesis: Nemesis, in folder: IterationFolder,
        arming: @escaping @Sendable (LivingWorker) -> LivingWorker = { $0 }
    ) async throws -> (death: Death, strike: Strike, calls: CountedCalls?) {
        guard case .syscall(let moment) = nemesis.planned.trigger else {
            let (death, strike) = try await launch(command, in: folder) {
                nemesis.strike(arming($0))
            }
            return (death, strike, nil)
        }
        let tracing = try tracing(in: folder, at: moment)
        let (death, seen) = try await launch(tracing.command(command), in: folder) {
            [tracing] worker in
            let armed = arming(worker)
            var strike = nemesis.strike(armed)
            let seconds = (ContinuousClock.now - worker.launched).seconds
            let report = try? tracing.report
            if let report, report.isKilled(at: moment) {
                strike.sent = true
                strike.killSeconds = seconds
                // The worker is dead: what is left of the kill is the cut of its power.
                armed.kill()
            }
            return (strike: strike, calls: report?.calls)
        }
        return (death, seen.strike, seen.calls)
    }
}
