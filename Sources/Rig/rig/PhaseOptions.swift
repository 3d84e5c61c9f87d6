internal import ArgumentParser
internal import RigModel
internal import RigRun

/// The distribution of kills over the worker's phases.
struct PhaseOptions: ParsableArguments {
    @Flag(
        name: .long,
        help: "With --trigger phase: as many kills in each phase as in any other.")
    var stratify = false

    /// Rejects options that leave no phases to distribute over.
    func check(_ kill: KillOptions) throws {
        guard stratify else { return }
        guard kill.trigger == .phase else {
            throw ValidationError("--stratify spreads kills over phases: add --trigger phase.")
        }
        if let moment = kill.at {
            throw ValidationError(
                "--stratify spreads kills over all phases, and --at names one, \(moment.text); "
                    + "leave one of them out.")
        }
    }
}
