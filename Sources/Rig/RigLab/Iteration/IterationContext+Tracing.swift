internal import RigModel
internal import SyscallTracer

extension IterationContext {
    /// The tracer of a life; throws exit code 70 when the path of `rig` is not known.
    func tracing(in folder: IterationFolder) throws -> Tracing {
        guard let tracer = settings.rig else {
            throw RigError(
                .failure, "the path of the rig program, which traces, is not known; reinstall rig")
        }
        return Tracing(tracer: tracer, folder: folder, failure: settings.callFailure)
    }

    /// The command of a relaunch, traced where an explanation asks what that reads.
    func relaunching(_ command: [String], in folder: IterationFolder) throws -> [String] {
        guard settings.notesReads else { return command }
        var tracing = Tracing(tracer: try tracing(in: folder).tracer, folder: folder)
        // What a second relaunch reads is not what the kill has left.
        guard try tracing.report?.read == nil else { return command }
        tracing.notesReads = true
        return tracing.command(command)
    }

    /// The tracer that kills at a planned call; nil for a kill that is planned by anything else.
    func tracing(for planned: PlannedKill, in folder: IterationFolder) throws -> Tracing? {
        guard case .syscall(let moment) = planned.trigger else { return nil }
        var tracing = try tracing(in: folder)
        tracing.moment = moment
        tracing.record = recordPath(in: folder, kill: planned.kill)
        tracing.explain(settings, stacks: folder.stacks(ofKill: planned.kill))
        return tracing
    }
}

extension Tracing {
    mutating func explain(_ settings: LaboratorySettings, stacks: String) {
        guard record != nil else { return }
        if settings.explorer != nil { self.stacks = stacks }
        placedSyncs = settings.placedSyncs
    }
}
