internal import Foundation
package import RigModel
internal import SyscallTracer

/// The power cut by a model that goes with the kill of one life (``CrashImage``).
///
/// The worker runs under `rig trace`, which records what it does to its state. The kill is what it
/// is under any fault. Then the state is replaced by what a power cut at that moment can have left,
/// decided by the iteration's seed, and the rig goes on as after any kill. Nothing has to be
/// mounted, so it needs no root.
///
/// What the witness page says when the worker is dead was true before the cut: a call that was
/// acknowledged is in the log as one that had returned.
package struct TornCut: Sendable {
    private let rig: String
    private let folder: IterationFolder
    private let kill: Int

    /// The cut of a life; nil under another fault.
    ///
    /// - Parameters:
    ///   - settings: what every iteration shares.
    ///   - folder: the iteration's folder.
    ///   - kill: which kill of the iteration, from 1.
    init?(_ settings: LaboratorySettings, _ folder: IterationFolder, kill: Int) {
        guard settings.fault == .powerCutTorn, let rig = settings.rig else { return nil }
        self.rig = rig
        self.folder = folder
        self.kill = kill
    }

    /// Refuses what cannot be recorded, before anything is started.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 where programs cannot be traced.
    package static func check() throws {
        #if !os(Linux)
            throw RigError(
                .usage,
                "--fault power-cut-torn needs Linux, whose ptrace it records with; run it there")
        #endif
    }

    /// The command that runs a worker and records it.
    ///
    /// - Parameter command: the worker's command; one that traces it already records as well.
    func recording(_ command: [String]) -> [String] {
        let record = ["--record", folder.storageLog(ofKill: kill)]
        let tracing = [rig, TornCut.commandName]
        if command.starts(with: tracing) { return tracing + record + command.dropFirst(2) }
        return tracing + record
            + [
                "--under", folder.state, "--report", folder.storageLog(ofKill: kill) + ".json",
                "--",
            ]
            + command
    }

    /// Replaces the dead worker's state by what the power cut has left of it.
    ///
    /// - Parameter plan: the iteration, whose seed decides.
    /// - Throws: ``RigModel/RigError`` with exit code 70 when there is no log of the worker's life.
    func strike(_ plan: PlannedIteration) throws {
        let path = folder.storageLog(ofKill: kill)
        try Self.image(log: path, plan: plan, kill: kill).replace(folder: folder.state)
    }

    /// What a kill has left, from the log that its evidence keeps.
    ///
    /// - Parameters:
    ///   - log: the path of the storage log.
    ///   - plan: the iteration.
    ///   - kill: which kill of it, from 1.
    /// - Returns: the same image as in the run.
    /// - Throws: ``RigModel/RigError`` with exit code 70 when the log cannot be used.
    package static func image(
        log: String, plan: PlannedIteration, kill: Int
    ) throws -> CrashImage {
        do {
            return try CrashImage(of: StorageLog(path: log), seed: seed(plan, kill: kill))
        } catch {
            throw RigError(.failure, "\(error)")
        }
    }

    /// The seed of a kill's image: another one for each kill of an iteration.
    package static func seed(_ plan: PlannedIteration, kill: Int) -> UInt64 {
        var random = SplitMix64(seed: plan.seed ^ 0x7072_6E6F_7420_6375 &* UInt64(kill))
        return random.next()
    }

    /// The hidden command of `rig` that traces and records a worker.
    package static let commandName = "trace"
}
