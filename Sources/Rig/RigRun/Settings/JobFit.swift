internal import Foundation
internal import RigLab
package import RigModel

/// Whether several iterations of a run can run in parallel.
package struct JobFit {
    let jobs: Int
    let worker: WorkerProfile
    let port: UInt16?

    /// The maximum number of jobs: each has an origin and some threads.
    static let most = 64

    /// As many as there are cores, for a program that was not made for the rig; else one.
    ///
    /// Figures of the reference downloader are compared with those of runs of one job. Iterations
    /// with a player, in a control group or on a volume of their own disturb each other, and a server
    /// may have a fixed port.
    package static func standard(for spec: RunSpec, worker: WorkerProfile) -> Int {
        let cores = min(ProcessInfo.processInfo.activeProcessorCount, most)
        guard spec.workload == .download, !worker.isDocumented, worker.source == nil,
            worker.server == nil, spec.fault != .oom, !spec.fault.isPowerCut,
            !spec.fault.needsVolume,
            (try? JobFit(jobs: cores, worker: worker, port: spec.port).check()) != nil
        else { return 1 }
        return cores
    }

    /// Why that number of jobs is invalid; nil when it is valid.
    package static func objection(toNumber jobs: Int) -> String? {
        (1...most).contains(jobs) ? nil : "--jobs must be from 1 to \(most)."
    }

    /// Open files, connections included, of a rig without its jobs, and of one job: at most 24 and
    /// 8 were counted with the reference worker, 11 with a player.
    private static let openFiles = (own: 40, perJob: 12)

    /// Why this process may open too few files; nil if enough: a rig without free file descriptors
    /// waits forever for connections that its origins cannot accept.
    static func objection(toJobs jobs: Int, openFiles most: Int) -> String? {
        let needed = openFiles.own + openFiles.perJob * jobs
        guard most < needed else { return nil }
        let fewer = (most - openFiles.own) / openFiles.perJob
        return
            "--jobs \(jobs) may need \(needed) open files, and \(most) are allowed: raise that by"
            + " ulimit -n \(needed)" + (fewer > 0 ? ", or use --jobs \(fewer)" : "")
    }

    /// Rejects jobs that would open too many files, or share a port or a file, with exit code 64.
    func check() throws(RigError) {
        if let objection = Self.objection(toJobs: jobs, openFiles: OwnLimits.openFiles) {
            throw RigError(.usage, objection)
        }
        guard jobs > 1 else { return }
        if let port {
            throw RigError(
                .usage,
                "--port \(port) is the port of one origin, and each of \(jobs) jobs has its own; "
                    + "leave out --port or --jobs")
        }
        // Other files are below the worker's own folder unless their path is absolute.
        let whole = worker.files.keys.sorted().filter { $0.hasPrefix("/") }
        guard let place = (whole + [worker.completed]).first(where: isFixed) else { return }
        throw RigError(
            .usage,
            "--jobs \(jobs): the worker \(worker.name) has the file \(place), which all jobs would "
                + "share; name it by {dir} or {output}, or leave out --jobs")
    }

    /// What iterations beside each other may share without the rig's knowledge; nil for nothing.
    var warning: String? {
        guard jobs > 1, worker.check != nil else { return nil }
        return "iterations run beside each other: a program with a fixed port or path outside {dir}"
            + " needs --jobs 1"
    }

    private func isFixed(_ path: String) -> Bool {
        Placeholders.names(in: path).allSatisfy { !Self.own.contains($0) }
    }

    /// Placeholders with a different value in each of the parallel iterations.
    ///
    /// `{path}` is not one: it is the path of the video at each job's own origin.
    private static let own: Set = ["dir", "output", "source", "port", "url"]
}

extension Manifest {
    /// The numbers of parallel iterations, including those of resumes: `2`, or `1|2`.
    var jobsInWords: String { Set(jobCounts).sorted().map(String.init).joined(separator: "|") }
}
