internal import ArgumentParser
internal import RigLab
internal import RigRun

/// The number of parallel iterations.
struct JobOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Iterations at once, each with an origin, a folder and a volume of its own. Plan, checks "
                + "and the order of rows and events stay the same, and a rig that is killed or "
                + "interrupted loses at most \(WorkerPool.leadPerJob) iterations per job. With several, "
                + "times such as recovery_seconds are longer, and timed kills come earlier in the "
                + "work, because their unit is measured with one worker: compare only runs with as "
                + "many jobs. Not with --port; replay repeats kills one by one.",
            valueName: "n"))
    var jobs = 1

    /// Rejects an invalid number.
    func check() throws {
        if let objection = JobFit.objection(toNumber: jobs) { throw ValidationError(objection) }
    }
}
