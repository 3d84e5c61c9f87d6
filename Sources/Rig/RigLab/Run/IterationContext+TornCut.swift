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
    /// - Parameters:
    ///   - command: the worker's command.
    ///   - folder: the iteration's folder.
    ///   - kill: the kill that ends this life, from 1.
    /// - Returns: the command to launch.
    /// - Throws: ``RigError`` with exit code 70 when the rig's own program is not known.
    func recording(
        _ command: [String], in folder: IterationFolder, kill: Int = 1
    ) throws -> [String] {
        guard let record = recordPath(in: folder, kill: kill) else { return command }
        var tracing = try tracing(in: folder)
        tracing.record = record
        return tracing.command(command)
    }

    /// Replaces a dead worker's state by what the power cut has left of it, where the fault is one.
    ///
    /// - Parameters:
    ///   - folder: the iteration's folder.
    ///   - plan: the iteration, whose seed decides.
    ///   - kill: which kill of it.
    /// - Throws: ``RigError`` with exit code 65 when there is no log of the worker's life, 70 when
    ///   the state cannot be written.
    func tear(_ folder: IterationFolder, _ plan: PlannedIteration, kill: Int) throws {
        guard let log = recordPath(in: folder, kill: kill) else { return }
        try TornCut.image(log: log, iterationSeed: plan.seed, kill: kill)
            .replace(folder: folder.state)
        // Files elsewhere were not recorded, so none of them can be shown to be synced.
        folder.removeBelongings()
    }
}
