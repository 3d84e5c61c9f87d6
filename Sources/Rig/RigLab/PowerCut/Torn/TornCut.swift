package import RigModel
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
    }

    /// The state after a kill, from the log that its evidence keeps as `storage.log`.
    ///
    /// - Parameters:
    ///   - log: the path of the storage log.
    ///   - iterationSeed: the seed of the iteration, as in its row.
    ///   - kill: which kill of the iteration, from 1.
    ///   - disk: what the disk may do.
    ///   - number: which of the states, from 1; as `crash_states` of a row that failed.
    /// - Returns: the same image as in the run.
    /// - Throws: ``RigModel/RigError`` with exit code 65 when the log cannot be used, or allows
    ///   fewer states.
    package static func image(
        log: String, iterationSeed: UInt64, kill: Int, on disk: DiskModel = .journal,
        number: Int = 1
    ) throws -> CrashImage {
        var states = try states(log: log, iterationSeed: iterationSeed, kill: kill, on: disk)
        for _ in 1..<number { _ = states.next() }
        guard let image = states.next() else {
            throw RigError(.data, "\(log) allows fewer than \(number) states; name another")
        }
        return image
    }

    /// The states that a power cut at a kill can leave.
    static func states(
        log: String, iterationSeed: UInt64, kill: Int, on disk: DiskModel
    ) throws -> CrashStates {
        try CrashStates(
            log: log, on: disk, seed: seed(iterationSeed: iterationSeed, kill: kill))
    }

    /// The seed of a kill's image, which differs for each kill of an iteration.
    package static func seed(iterationSeed: UInt64, kill: Int) -> UInt64 {
        var random = SplitMix64(seed: iterationSeed &+ UInt64(kill) &* 0xA24B_AED4_963E_E407)
        return random.next()
    }
}
