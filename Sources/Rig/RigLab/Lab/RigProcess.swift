internal import RigModel

/// The rig as a child of itself: a part of a larger run, as a command that can be repeated by hand.
package enum RigProcess {
    /// Runs a command of the rig to its end, which an interruption asks for; returns its exit code.
    package static func run(
        executable: String, arguments: [String], environment: [String: String], log: String,
        unless interruption: Interruption
    ) async throws -> Int32 {
        let launcher = WorkerLauncher(environment: environment)
        let (death, _) = try await launcher.run([executable] + arguments, log: log) { child in
            var wasAsked = false
            while child.isAlive {
                if interruption.isRaised, !wasAsked {
                    child.end()
                    wasAsked = true
                }
                Pause.seconds(0.01)
            }
        }
        if interruption.isRaised { throw Interrupted() }
        switch death {
        case .exited(let code): return code
        case .signaled(let signal):
            throw RigError.failure(
                "signal \(signal) ended rig \(arguments.joined(separator: " ")); look at \(log)")
        }
    }
}
