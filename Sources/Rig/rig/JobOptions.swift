internal import ArgumentParser
internal import RigLab
internal import RigRun

/// The number of parallel iterations.
struct JobOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Iterations at once, each with an origin, a folder and a volume of its own. Plan, checks "
                + "and the order of rows and events stay the same, and a rig that is killed or "
                + "interrupted loses at most \(WorkerPool.leadPerJob) iterations per job. With "
                + "several, times such as recovery_seconds are longer, and timed kills come earlier in the "
                + "work, because their unit is measured with one worker: compare only runs with as "
                + "many jobs. Not with --port; replay repeats kills one by one. Default: one per "
                + "core for a download by a program of your own, unless jobs would share a file or "
                + "power is cut; else 1. With --check: 1; programs that share a port or a path "
                + "outside {dir} disturb each other.",
            valueName: "n"))
    var jobs: Int?

    /// Rejects an invalid number.
    func check() throws {
        if let objection = jobs.flatMap(JobFit.objection(toNumber:)) {
            throw ValidationError(objection)
        }
    }
}
