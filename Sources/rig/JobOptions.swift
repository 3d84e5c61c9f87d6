internal import ArgumentParser
internal import RigLab
internal import RigModel

/// How many iterations are carried out at once.
struct JobOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Iterations at once, each with an origin, a folder and a volume of its own. Plan, checks "
                + "and the order of rows and events stay the same, and a rig that is killed or "
                + "interrupted loses at most \(Crew.leadPerJob) iterations per job. Times, such as "
                + "recovery_seconds, are then those of a busy machine, and kills by the clock, which is set by a worker that is "
                + "alone, come earlier in the work: compare with runs of as many jobs. Not with "
                + "--port, --self-check and --documented; replay repeats kills one by one.",
            valueName: "n"))
    var jobs = 1

    /// Refuses a number that no run can have, and runs that are made of many.
    func check(_ command: KillTestCommand) throws {
        if let objection = JobFit.objection(toNumber: jobs) { throw ValidationError(objection) }
        guard jobs > 1, command.control.isWanted else { return }
        throw ValidationError(
            "--self-check and --documented are made of many runs, some of which measure times on a "
                + "machine that does nothing else; leave out --jobs.")
    }
}

/// Whether several iterations of a run can go on at once.
struct JobFit {
    let jobs: Int
    let worker: WorkerProfile
    /// The port that the origin was told to listen on; nil for any free one.
    let port: UInt16?

    /// The most jobs: each has an origin and some threads.
    static let most = 64

    /// Why there cannot be so many jobs; nil when there can.
    static func objection(toNumber jobs: Int) -> String? {
        (1...most).contains(jobs) ? nil : "--jobs must be from 1 to \(most)."
    }

    /// The files that a rig has open beside those of its jobs, and those of a job, connections
    /// included: 24 and 8 at most were counted of the reference worker, 11 of a player.
    private static let openFiles = (own: 40, perJob: 12)

    /// Why there are not enough open files to be had: a rig that runs out of them waits for ever for
    /// connections that its origins cannot take.
    ///
    /// - Parameters:
    ///   - jobs: how many.
    ///   - most: how many files this process may have open; nil where the system does not tell.
    /// - Returns: nil where there are enough.
    static func objection(toJobs jobs: Int, openFiles most: Int?) -> String? {
        let needed = openFiles.own + openFiles.perJob * jobs
        guard let most, most < needed else { return nil }
        let fewer = (most - openFiles.own) / openFiles.perJob
        return
            "--jobs \(jobs) may need \(needed) open files, and \(most) are allowed: raise that by"
            + " ulimit -n \(needed)" + (fewer > 0 ? ", or use --jobs \(fewer)" : "")
    }

    /// Refuses jobs that open more files than they may, and what they would have to share.
    ///
    /// - Throws: ``RigError`` with exit code 64.
    func check() throws(RigError) {
        if let objection = Self.objection(toJobs: jobs, openFiles: OpenFiles.most) {
            throw RigError(.usage, objection)
        }
        guard jobs > 1 else { return }
        if let port {
            throw RigError(
                .usage,
                "--port \(port) is the port of one origin, and each of \(jobs) jobs has its own; "
                    + "leave out --port or --jobs")
        }
        // Other files lie below the worker's own folder unless their path is a whole one.
        let whole = worker.files.keys.sorted().filter { $0.hasPrefix("/") }
        guard let place = (whole + [worker.completed]).first(where: isFixed) else { return }
        throw RigError(
            .usage,
            "--jobs \(jobs): the worker \(worker.name) has the file \(place), which all jobs would "
                + "share; name it by {dir} or {output}, or leave out --jobs")
    }

    /// True for a path that is the same in every iteration.
    private func isFixed(_ path: String) -> Bool {
        Placeholders.names(in: path).allSatisfy { !Self.own.contains($0) }
    }

    /// What no two iterations that go on at once have in common.
    ///
    /// A `{path}` they may have: it is that of the video at each job's own origin.
    private static let own: Set = ["dir", "output", "source", "port", "url"]
}

extension Manifest {
    /// How many iterations went on at once, also after the run was gone on with: `2`, or `1|2`.
    var jobsInWords: String {
        Set(jobCounts).sorted().map(String.init).joined(separator: "|")
    }
}
