internal import RigModel

extension IterationContext {
    /// A worker's life under the tracer.
    ///
    /// - Throws: ``RigError`` with exit code 70 when the rig's own program is not known.
    func tracing(in folder: IterationFolder, at moment: CallMoment? = nil) throws -> Tracing {
        guard let tracer = settings.rig else {
            throw RigError(
                .failure, "the rig does not know its own program, which traces; reinstall rig")
        }
        return Tracing(tracer: tracer, folder: folder, moment: moment)
    }

    /// How a planned kill is carried out.
    ///
    /// - Throws: ``RigError`` with exit code 70 when it needs a tracer that is not there.
    func killing(at planned: PlannedKill, in folder: IterationFolder) throws -> Killing {
        guard case .syscall(let moment) = planned.trigger else {
            return Killing(context: self, folder: folder, kill: planned.kill)
        }
        var tracing = try tracing(in: folder, at: moment)
        tracing.record = recordPath(in: folder, kill: planned.kill)
        return Killing(
            context: self, folder: folder, kill: planned.kill, tracing: tracing, moment: moment)
    }
}
