extension KillPlan {
    /// A plan whose first iteration is a planned one of this plan, pinned.
    ///
    /// Its seed is such that the first iteration has the seed of the planned one, from which all
    /// else follows that was drawn: the wait before the kill, a player's pattern, the kills after
    /// the first. Only which time a phase is entered is drawn otherwise for a pinned phase.
    ///
    /// - Parameters:
    ///   - planned: an iteration of this plan.
    ///   - iterations: how many; those after the first have seeds of their own.
    /// - Returns: the plan.
    package func repeating(_ planned: PlannedIteration, iterations: Int = 1) -> KillPlan {
        var refinement = Refinement()
        refinement.kills = planned.kills.count
        refinement.lacksPhases = self.refinement?.lacksPhases
        refinement.hasKillsInFlow = self.refinement?.hasKillsInFlow
        refinement.hasRoomInChains = self.refinement?.hasRoomInChains
        return KillPlan(
            seed: seed ^ Self.spread(planned.iteration) ^ Self.spread(1), iterations: iterations,
            policies: [planned.policy], trigger: planned.first.trigger.kind,
            pinned: planned.first.trigger, videoLength: videoLength, refinement: refinement)
    }

    /// What tells the seeds of iterations apart.
    static func spread(_ index: Int) -> UInt64 { UInt64(index) &* 0xD1B5_4A32_D192_ED03 }
}

extension Manifest {
    /// The manifest of another plan, and perhaps of a video of another length, that is otherwise
    /// the same.
    package func with(plan: KillPlan, video: Video) -> Manifest {
        var manifest = Manifest(
            runID: runID, command: command, versions: versions, machine: machine, worker: worker,
            profile: profile, workerOption: workerOption, fault: fault, workload: workload,
            settings: settings ?? [:],
            environment: environment ?? [:], plan: plan, video: video, bandwidth: bandwidth,
            originFaults: originFaults ?? [], timeLimit: timeLimit, gates: gates,
            startedAt: startedAt, baseline: baseline)
        manifest.provenance = provenance
        return manifest
    }

    /// The command that carries out this manifest's plan, which pins its kills, as it is.
    ///
    /// - Parameter iterations: how many iterations.
    /// - Returns: a line for a shell.
    package func killTestCommand(iterations: Int) -> String {
        let assignments = ShellWord.assignments(environment ?? [:])
        var words = ["rig", "kill-test", "--iterations", "\(iterations)"]
        words += ["--thresholds", plan.policies.map(\.name).joined(separator: ",")]
        words += ["--trigger", plan.trigger.rawValue]
        if let pinned = plan.pinned { words += ["--at", pinned.planned] }
        if plan.kills > 1 { words += ["--kills", "\(plan.kills)"] }
        if fault != .sigkill { words += ["--fault", fault.rawValue] }
        words += ["--seed", "\(plan.seed)"]
        if let workerOption, workerOption != WorkerProfile.referenceName {
            words += ["--worker", workerOption]
        }
        if workload != .download { words += ["--workload", workload.rawValue] }
        for (name, value) in (settings ?? [:]).sorted(by: { $0.key < $1.key }) {
            words += ["--set", "\(name)=\(value)"]
        }
        if let durability = plan.policies.first?.durability, durability != .process {
            words += ["--durability", durability.rawValue]
        }
        words +=
            video.source == "fixture"
            ? ["--video-size", "\(video.length)"] : ["--video", video.source]
        if let bandwidth { words += ["--bandwidth", "\(bandwidth)/s"] }
        if let timeLimit { words += ["--time-limit", "\(timeLimit)"] }
        for fault in originFaults ?? [] { words += ["--origin-fault", fault.text] }
        if let profile, workerOption == nil { words += ["--"] + profile.command }
        return assignments + ShellWord.line(words)
    }
}

extension StoredKill {
    /// The command that repeats the kill.
    ///
    /// - Parameter folder: the run's folder, as it is to be named on the command line.
    /// - Returns: a line for a shell.
    package func replayCommand(folder: String) -> String {
        RowIdentity(policy: planned.policy.name, iteration: planned.iteration, kill: kill)
            .replayCommand(folder: folder)
    }
}

extension RowIdentity {
    /// The command that repeats the kill.
    ///
    /// - Parameter folder: the run's folder, as it is to be named on the command line.
    /// - Returns: a line for a shell.
    package func replayCommand(folder: String) -> String {
        let words =
            ["rig", "replay", folder, "--iteration", "\(iteration)", "--policy", policy]
            + (kill > 1 ? ["--kill", "\(kill)"] : [])
        return ShellWord.line(words)
    }

    /// Where the evidence of a row lies below its run's folder.
    package var evidencePath: String { "evidence/\(policy)-\(iteration)-\(kill)" }
}

/// Words of a command line.
package enum ShellWord {
    /// The words as one line that a POSIX shell reads as these words again.
    package static func line(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    /// Variables as they are set for one command, each with a space behind it.
    package static func assignments(_ variables: [String: String]) -> String {
        variables.sorted { $0.key < $1.key }.map { "\($0.key)=\(quoted($0.value)) " }.joined()
    }

    /// The word as a POSIX shell has to read it: in quotes where it means something else without.
    package static func quoted(_ word: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-")
        guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
        return "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
