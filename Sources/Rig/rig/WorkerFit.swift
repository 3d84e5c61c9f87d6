internal import RigModel

/// Checks whether a worker supports what a run requires.
struct WorkerFit {
    let worker: WorkerProfile
    let command: KillTestCommand

    /// Rejects a run that the worker does not support.
    ///
    /// - Throws: ``RigError`` with exit code 64: what is missing, and what to do instead.
    func check() throws(RigError) {
        try checkControls()
        try checkWorkload()
        try checkKills()
        try checkPolicies()
    }

    private func checkControls() throws(RigError) {
        if command.control.documented, !worker.isDocumented {
            throw refused("--documented", "about which the documents promise something")
        }
        guard command.control.selfCheck else { return }
        guard worker.plantedBugs != nil else {
            throw refused("--self-check", "whose profile has 'planted_bugs'")
        }
        guard worker.mentions("threshold") else {
            throw refused("--self-check", "that takes {threshold}, for its null control 'disabled'")
        }
    }

    private func checkWorkload() throws(RigError) {
        let workload = command.work.workload
        let name = "--workload \(workload.rawValue)"
        guard workload != .download else { return }
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
        let kill = command.kill
        if kill.trigger == .phase, !worker.writesWitness {
            throw refused("--trigger phase", "that keeps a witness page ('witness: true')")
        }
        try checkSource()
        guard worker.server != nil else { return }
        if kill.trigger == .syscall {
            throw refused("--trigger syscall", "without a 'server': it follows one program")
        }
        if kill.fault != .sigkill {
            throw refused(
                "--fault \(kill.fault.rawValue)",
                "without a 'server': a server and its children are killed by signal 9")
        }
    }

    /// The origin can neither hold back nor damage what a worker fetches elsewhere.
    private func checkSource() throws(RigError) {
        guard worker.source != nil else { return }
        let elsewhere = "that fetches from the rig's origin, not from a 'source' of its own"
        let kill = command.kill
        if [.random, .bytes].contains(kill.trigger) {
            throw refused("--trigger \(kill.trigger.rawValue)", elsewhere)
        }
        if kill.fault.isPowerCut { throw refused("--fault \(kill.fault.rawValue)", elsewhere) }
        if command.video.bandwidth != nil { throw refused("--bandwidth", elsewhere) }
        if let fault = command.video.originFault.first(where: { !$0.kind.isNewVersion }) {
            throw refused("--origin-fault \(fault.kind.rawValue)", elsewhere)
        }
    }

    private func checkPolicies() throws(RigError) {
        let policies: [Policy]
        do { policies = try command.policies } catch { throw RigError(.usage, "\(error)") }
        if !worker.mentions("threshold") {
            guard policies.count == 1, policies[0].threshold != nil else {
                throw RigError(
                    .usage,
                    "--thresholds: nothing that the worker \(worker.name) is given has {threshold}, "
                        + "so every policy would be the same; give one size, or leave it out")
            }
        }
        if command.durability != .process, !worker.mentions("durability") {
            throw refused(
                "--durability \(command.durability.rawValue)", "whose profile has {durability}")
        }
    }

    private func refused(_ option: String, _ need: String) -> RigError {
        RigError(
            .usage,
            "\(option) needs a worker \(need), and \(worker.name) is none; choose another, or leave "
                + "\(option.split(separator: " ")[0]) out")
    }
}
