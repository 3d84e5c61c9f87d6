internal import RigModel

/// The rig as a child of itself: a part of a larger run, as a command that can be repeated by hand.
package enum RigProcess {
    package struct End: Sendable, Hashable {
        /// That of a failure of the rig where a signal ended it.
        package let exitCode: Int32
        /// The signal that ended it; nil if it ended by itself, or because it was told to.
        package let signal: Int32?
        /// True if it was told to end because its time was over.
        package let wasCutOff: Bool
    }

    /// Runs a command of the rig to its end, which an interruption asks for, and the end of its time;
    /// one whose time is over is killed if it goes on for longer than the grace, in seconds.
    package static func run(
        executable: String, arguments: [String], environment: [String: String], log: String,
        within seconds: Double? = nil, grace: Double = 30, unless interruption: Interruption
    ) async throws -> End {
        let launcher = WorkerLauncher(environment: environment)
        let (death, wasCutOff) = try await launcher.run(
            [executable] + arguments, log: log
        ) { child -> Bool in
            var asked: ContinuousClock.Instant?
            var wasCutOff = false
            while child.isAlive {
                let now = ContinuousClock.now
                if let asked {
                    if wasCutOff, now - asked > .seconds(grace) { child.kill() }
                } else if interruption.isRaised {
                    asked = now
                    child.end()
                } else if let seconds, now - child.launched > .seconds(seconds) {
                    asked = now
                    wasCutOff = true
                    child.end()
                }
                Pause.seconds(0.01)
            }
            return wasCutOff
        }
        if interruption.isRaised { throw Interrupted() }
        switch death {
        case .exited(let code): return End(exitCode: code, signal: nil, wasCutOff: wasCutOff)
        case .signaled(let signal):
            let status = wasCutOff ? ExitStatus.interrupted : .failure
            return End(
                exitCode: status.rawValue, signal: wasCutOff ? nil : signal, wasCutOff: wasCutOff)
        }
    }
}
