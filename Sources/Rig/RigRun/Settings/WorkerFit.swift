internal import OriginFaults
internal import RigModel

/// Checks whether a worker supports what a run requires.
struct WorkerFit {
    let worker: WorkerProfile
    let settings: RunSettings

    /// Rejects a run that the worker does not support, with exit code 64 and what to do instead.
    func check() throws(RigError) {
        try checkWorkload()
        try checkKills()
        try checkPolicies()
        try checkEncryption()
    }

    private func checkEncryption() throws(RigError) {
        guard settings.tls == true else {
            guard worker.mentions("ca") else { return }
            throw RigError(
                .usage,
                "{ca} is the certificate authority of an https origin; add --tls, or leave it"
                    + " out")
        }
        guard worker.source == nil else {
            throw refused(
                "--tls", "that fetches from the rig's origin, not from a 'source' of its own")
        }
        guard worker.server == nil || worker.trustArguments != nil else {
            throw refused(
                "--tls", "that asks the origin itself, or whose profile says by 'tls' how")
        }
    }

    private func checkWorkload() throws(RigError) {
        let workload = settings.workload
        let name = "--workload \(workload.rawValue)"
        guard workload != .download, workload.hasBytes else { return }
        guard worker.server == nil else { throw refused(name, "without a 'server'") }
        if workload.hasPlayer, worker.proxy == nil {
            throw refused(name, "whose profile has a 'proxy' to play through")
        }
        if workload == .offlineLibrary, worker.library == nil {
            throw refused(name, "whose profile has a 'library'")
        }
        // Only a witness page tells the positions of a player's many requests.
        guard worker.writesWitness else { throw refused(name, "that keeps a witness page") }
        if workload.hasPlayer, worker.inspection?.database == nil {
            throw refused(name, "whose profile inspects a database")
        }
    }

    private func checkKills() throws(RigError) {
        if settings.trigger == .phase, !worker.writesWitness {
            throw refused("--trigger phase", "that keeps a witness page ('witness: true')")
        }
        try checkSource()
        if settings.relaunch == .twice, worker.server ?? worker.source != nil {
            throw refused("--relaunch twice", "without a 'server' and a 'source'")
        }
        if settings.relaunch == .other,
            settings.originFaults?.contains(where: \.kind.facts.isNewVersion) == true
        {
            throw RigError(
                .usage,
                "--relaunch other has another video after the kill, so it has no other version; "
                    + "leave out --origin-fault changed, shortened and longer")
        }
        guard worker.server != nil else { return }
        if settings.trigger == .syscall {
            throw refused("--trigger syscall", "without a 'server': it follows one program")
        }
        if settings.fault != .sigkill {
            throw refused(
                "--fault \(settings.fault.rawValue)",
                "without a 'server': a server and its children are killed by signal 9")
        }
    }

    /// The origin can neither hold back nor damage what a worker fetches elsewhere.
    private func checkSource() throws(RigError) {
        guard worker.source != nil else { return }
        let elsewhere = "that fetches from the rig's origin, not from a 'source' of its own"
        if [.random, .bytes].contains(settings.trigger) {
            throw refused("--trigger \(settings.trigger.rawValue)", elsewhere)
        }
        if settings.fault.isPowerCut {
            throw refused("--fault \(settings.fault.rawValue)", elsewhere)
        }
        if settings.bandwidth != nil { throw refused("--bandwidth", elsewhere) }
        if let fault = settings.originFaults?.first(where: { !$0.kind.facts.isNewVersion }) {
            throw refused("--origin-fault \(fault.kind.facts.name)", elsewhere)
        }
    }

    private func checkPolicies() throws(RigError) {
        guard settings.workload.hasBytes else { return }
        let policies = settings.policies
        if !worker.mentions("threshold") {
            guard policies.count == 1, policies[0].threshold != nil else {
                throw RigError(
                    .usage,
                    "--thresholds: nothing that the worker \(worker.name) is given has {threshold}, "
                        + "so every policy would be the same; give one size, or leave it out")
            }
        }
        if let after = settings.callFailure?.afterSync, worker.mentions("durability"),
            policies.contains(where: { $0.durability != .power })
        {
            throw RigError(
                .usage,
                "--after-fsync \(after.rawValue) cuts the power, which \(worker.name) promises to "
                    + "survive with --durability power only; add that")
        }
        if let durability = policies.map(\.durability).first(where: { $0 != .process }),
            !worker.mentions("durability")
        {
            throw refused(
                "--durability \(durability.rawValue)",
                "whose command has the placeholder {durability}")
        }
    }

    private func refused(_ option: String, _ need: String) -> RigError {
        RigError(
            .usage,
            "\(option) needs a worker \(need), and \(worker.name) is not one; choose another, or leave "
                + "\(option.split(separator: " ")[0]) out")
    }
}
