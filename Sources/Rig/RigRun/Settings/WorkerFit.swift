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
