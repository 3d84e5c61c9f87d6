internal import RigModel
internal import SyscallTracer

/// The power cut by a model that goes with a kill (``CrashImage``).
///
/// The worker runs under `rig trace`, which records its changes to its state. The kill is the same
/// as under any fault. Then the state is replaced by what a power cut at that moment can have left,
/// decided by the iteration's seed, and the rig continues as after any kill. Nothing has to be
/// mounted, so it needs no root.
///
/// What the witness page says when the worker is dead was true before the cut: a sync that the
/// worker could report has returned, and the log records it before the worker continues.
package enum TornCut {
    /// Refuses a run that cannot be recorded, before anything is started.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 where programs cannot be traced.
    package static func check() throws {
        #if !os(Linux)
            throw RigError(
                .usage,
                "--fault power-cut-torn records with ptrace, which needs Linux; run it there")
        #endif
    }

    /// The state after a kill, from the log that its evidence keeps as `storage.log`.
    ///
    /// - Parameters:
    ///   - log: the path of the storage log.
    ///   - iterationSeed: the seed of the iteration, as in its row.
    ///   - kill: which kill of the iteration, from 1.
    /// - Returns: the same image as in the run.
    /// - Throws: ``RigModel/RigError`` with exit code 65 when the log cannot be used.
    package static func image(
        log: String, iterationSeed: UInt64, kill: Int
    ) throws -> CrashImage {
        do {
            return try CrashImage(
                of: StorageLog(path: log), seed: seed(iterationSeed: iterationSeed, kill: kill))
        } catch {
            throw RigError(.data, "\(error)")
        }
    }

    /// The seed of a kill's image, which differs for each kill of an iteration.
    package static func seed(iterationSeed: UInt64, kill: Int) -> UInt64 {
        var random = SplitMix64(seed: iterationSeed &+ UInt64(kill) &* 0xA24B_AED4_963E_E407)
        return random.next()
    }
}

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
