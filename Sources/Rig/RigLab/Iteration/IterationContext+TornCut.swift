internal import RigModel

extension IterationContext {
    /// Where the worker's changes to its state are recorded; nil when the fault needs no record.
    func recordPath(in folder: IterationFolder, kill: Int) -> String? {
        settings.fault == .powerCutTorn ? folder.storageLog(ofKill: kill) : nil
    }

    /// The command that runs a worker and records it, where the fault needs that.
    ///
    /// Recording takes time, so unharmed lives that measure the others are recorded, too.
    ///
    /// - Parameter kill: the kill that ends this life, from 1.
    /// - Throws: ``RigError`` with exit code 70 when the rig's own program is not known.
    func recording(
        _ command: [String], in folder: IterationFolder, kill: Int = 1
    ) throws -> [String] {
        guard let record = recordPath(in: folder, kill: kill) else { return command }
        var tracing = try tracing(in: folder)
        tracing.record = record
        return tracing.command(command)
    }

    /// The states that the power cut can have left of a dead worker's folder, which is as the worker
    /// left it; nil where the fault is no
    /// modelled power cut.
    ///
    /// - Parameter plan: the iteration, whose seed decides.
    /// - Throws: ``RigError`` with exit code 65 when there is no log of the worker's life.
    func crashStates(
        in folder: IterationFolder, _ plan: PlannedIteration, kill: Int
    ) throws -> CrashStates? {
        try recordPath(in: folder, kill: kill).map {
            try TornCut.states(
                log: $0, completedFrom: folder.state, iterationSeed: plan.seed, kill: kill,
                on: settings.crashModel.disk)
        }
    }

    /// Replaces a dead worker's state by one that the power cut can have left.
    ///
    /// - Throws: ``RigError`` with exit code 70 when it cannot be written.
    func restore(_ image: CrashImage, in folder: IterationFolder) throws {
        try image.replace(folder: folder.state)
        // Files elsewhere were not recorded, so none of them can be shown to be synced.
        folder.removeBelongings()
    }
}
