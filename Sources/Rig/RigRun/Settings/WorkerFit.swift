internal import OriginFaults
internal import RigLab
package import RigModel

struct WorkerFit {
    let worker: WorkerProfile
    let settings: RunSettings

    func check() throws(RigError) {
        try checkWorkload()
        try checkKills()
        try checkPolicies()
        guard settings.tls == true else {
            return try RigError.require(
                !worker.mentions("ca"),
                "{ca} is the certificate authority of an https origin; add --tls, or leave it out")
        }
        try need(worker.source == nil, "--tls", Self.elsewhere)
        try need(
            worker.server == nil || worker.trustArguments != nil, "--tls",
            "that asks the origin itself, or whose profile says by 'tls' how")
    }

    private static let elsewhere =
        "that fetches from the rig's origin, not from a 'source' of its own"

    private func checkWorkload() throws(RigError) {
        let workload = settings.workload
        guard workload != .download, workload.hasBytes else { return }
        let name = "--workload \(workload.rawValue)"
        try need(worker.server == nil, name, "without a 'server'")
        try need(
            !workload.hasPlayer || worker.proxy != nil, name,
            "whose profile has a 'proxy' to play through")
        try need(
            workload != .offlineLibrary || worker.library != nil, name,
            "whose profile has a 'library'")
        // Only a witness page tells the positions of a player's many requests.
        try need(worker.writesWitness, name, "that keeps a witness page")
        try need(
            !workload.hasPlayer || worker.inspection?.database != nil, name,
            "whose profile inspects a database")
    }

    private func checkKills() throws(RigError) {
        try need(
            settings.trigger != .phase || worker.writesWitness, "--trigger phase",
            "that keeps a witness page ('witness: true')")
        try checkSource()
        try need(
            settings.relaunch != .twice || (worker.server ?? worker.source) == nil,
            "--relaunch twice", "without a 'server' and a 'source'")
        let isChanged = settings.originFaults?.contains(where: \.kind.facts.isNewVersion) == true
        try RigError.require(
            settings.relaunch != .other || !isChanged,
            "--relaunch other has another video after the kill, so it has no other version; "
                + "leave out --origin-fault changed, shortened and longer")
        guard worker.server != nil else { return }
        try need(
            settings.trigger != .syscall, "--trigger syscall",
            "without a 'server': it follows one program")
        try need(
            settings.fault == .sigkill, "--fault \(settings.fault.rawValue)",
            "without a 'server': a server and its children are killed by signal 9")
    }

    /// The origin can neither hold back nor damage what a worker fetches elsewhere.
    private func checkSource() throws(RigError) {
        guard worker.source != nil else { return }
        try need(
            ![.random, .bytes].contains(settings.trigger),
            "--trigger \(settings.trigger.rawValue)", Self.elsewhere)
        let fault = settings.fault
        try need(
            !fault.isPowerCut && !fault.needsVolume, "--fault \(fault.rawValue)", Self.elsewhere)
        try need(settings.bandwidth == nil, "--bandwidth", Self.elsewhere)
        if let other = settings.originFaults?.first(where: { !$0.kind.facts.isNewVersion }) {
            try need(false, "--origin-fault \(other.kind.facts.name)", Self.elsewhere)
        }
    }

    private func checkPolicies() throws(RigError) {
        guard settings.workload.hasBytes else { return }
        let policies = settings.policies
        try RigError.require(
            worker.mentions("threshold") || policies.count == 1 && policies[0].threshold != nil,
            "--thresholds: nothing that the worker \(worker.name) is given has {threshold}, "
                + "so every policy would be the same; give one size, or leave it out")
        if let after = settings.callFailure?.afterSync, worker.mentions("durability") {
            try RigError.require(
                policies.allSatisfy { $0.durability == .power },
                "--after-fsync \(after.rawValue) cuts the power, which \(worker.name) promises to "
                    + "survive with --durability power only; add that")
        }
        if let durability = policies.map(\.durability).first(where: { $0 != .process }) {
            try need(
                worker.mentions("durability"), "--durability \(durability.rawValue)",
                "whose command has the placeholder {durability}")
        }
    }

    private func need(_ isMet: Bool, _ option: String, _ need: String) throws(RigError) {
        try RigError.require(
            isMet,
            "\(option) needs a worker \(need), and \(worker.name) is not one; choose another, or leave "
                + "\(option.split(separator: " ")[0]) out")
    }
}

package struct JobFit {
    let jobs: Int
    let worker: WorkerProfile
    let port: UInt16?

    /// The maximum number of jobs: each has an origin and some threads.
    static let most = 64

    /// As many as there are usable cores, for a program that was not made for the rig; else one:
    /// such runs disturb each other, have a fixed port, or are compared with those of one job.
    package static func standard(for spec: RunSpec, worker: WorkerProfile) -> Int {
        let cores = min(Processors.usable, most)
        guard spec.workload == .download, !worker.isDocumented, worker.source == nil,
            worker.server == nil, spec.fault != .oom, !spec.fault.isPowerCut,
            !spec.fault.needsVolume,
            (try? JobFit(jobs: cores, worker: worker, port: spec.port).check()) != nil
        else { return 1 }
        return cores
    }

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
        let fixed = (whole + [worker.completed]).first {
            Self.own.isDisjoint(with: Placeholders.names(in: $0))
        }
        guard let place = fixed else { return }
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

    /// Placeholders that differ between parallel iterations; `{path}` is the same at each origin.
    private static let own: Set = ["dir", "output", "source", "port", "url"]
}

extension Manifest {
    /// The numbers of parallel iterations, including those of resumes: `2`, or `1|2`.
    var jobsInWords: String { Set(jobCounts).sorted().map(String.init).joined(separator: "|") }
}
