internal import ArgumentParser
internal import RigModel
internal import RigRun

/// The distribution of kills over the worker's phases, or over the kinds of its calls.
struct PhaseOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "With --trigger phase: as many kills in each phase as in any other. With --trigger "
                + "syscall: as many at each kind of call, so that the few renames are not lost "
                + "among many writes."))
    var stratify = false

    /// Rejects options that leave no phases to distribute over.
    func check(_ kill: KillOptions) throws {
        guard stratify else { return }
        try require(
            [.phase, .syscall].contains(kill.trigger),
            "--stratify spreads kills over phases or kinds of calls: add --trigger phase or "
                + "--trigger syscall.")
        try require(!kill.exhaustive, "--exhaustive kills at every call: leave out --stratify.")
        if let moment = kill.at {
            throw ValidationError(
                "--stratify spreads kills over all of them, and --at names one, \(moment.text); "
                    + "leave one of them out.")
        }
    }
}
