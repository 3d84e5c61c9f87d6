extension Manifest {
    package func with(plan: KillPlan, video: Video, fault: Fault? = nil) -> Manifest {
        var manifest = Manifest(
            runID: runID, command: command, versions: versions, machine: machine, worker: worker,
            profile: profile, workerOption: workerOption, fault: fault ?? self.fault,
            workload: workload,
            settings: settings ?? [:],
            environment: environment ?? [:], plan: plan, video: video, bandwidth: bandwidth,
            originFaults: originFaults ?? [], timeLimit: timeLimit, gates: gates,
            startedAt: startedAt, baseline: baseline)
        manifest.provenance = provenance
        manifest.workingDirectory = workingDirectory
        manifest.tls = tls
        manifest.pacesOnlyKills = pacesOnlyKills
        manifest.calls = calls
        manifest.evidence = evidence
        manifest.crashModel = crashModel
        manifest.relaunch = relaunch
        manifest.grace = grace
        manifest.callFailure = callFailure
        manifest.history = history
        return manifest
    }

    /// The command that carries out this manifest's plan, with pinned kills, unchanged.
    package func killTestCommand(iterations: Int) -> String {
        let assignments = ShellWord.assignments(environment ?? [:])
        var words = ["rig", "kill-test", "--iterations", "\(iterations)"]
        if workload.hasBytes {
            words += ["--thresholds", plan.policies.map(\.name).joined(separator: ",")]
        }
        words += ["--trigger", plan.trigger.rawValue]
        if let at = plan.at { words += ["--at", at] }
        if plan.kills > 1 { words += ["--kills", "\(plan.kills)"] }
        if fault != .sigkill { words += ["--fault", faultText] }
        words += callFailure?.words ?? []
        if let crashModel {
            words += ["--disk", crashModel.disk.rawValue]
            if crashModel.states != .drawn(1) { words += ["--states", crashModel.states.text] }
        }
        if let relaunch { words += ["--relaunch", relaunch.rawValue] }
        words += ["--seed", "\(plan.seed)"]
        if let workerOption, workerOption != WorkerProfile.referenceName {
            words += ["--worker", workerOption]
        }
        if let check = profile?.check {
            words += check.options
        } else if workload != .download {
            words += ["--workload", workload.rawValue]
        }
        for (name, value) in (settings ?? [:]).sorted(by: { $0.key < $1.key }) {
            words += ["--set", "\(name)=\(value)"]
        }
        if workload.hasBytes {
            let durability = plan.policies.first?.durability ?? .process
            if durability != .process { words += ["--durability", durability.rawValue] }
            words +=
                video.source == "fixture"
                ? ["--video-size", "\(video.length)"] : ["--video", video.source]
        }
        if let bandwidth { words += ["--bandwidth", "\(bandwidth)/s"] }
        if let timeLimit { words += ["--time-limit", "\(timeLimit)"] }
        if tls == true { words.append("--tls") }
        for fault in originFaults ?? [] { words += ["--origin-fault", fault.text] }
        if let profile, workerOption == nil { words += ["--"] + profile.command }
        return assignments + ShellWord.line(words)
    }

    /// The moment at which an iteration's call failed, as `--at` names it; nil where none can.
    package func failingCall(iteration: Int, policy: String) -> String? {
        failing(iteration, policy)?.first.trigger.planned
    }

    /// The command that lets just that call fail, in a run of its own; nil likewise.
    package func failingCallCommand(iteration: Int, policy: String) -> String? {
        failing(iteration, policy).map { planned in
            with(plan: plan.repeating(planned), video: video).killTestCommand(iterations: 1)
        }
    }

    private func failing(_ iteration: Int, _ policy: String) -> PlannedIteration? {
        guard fault == .callError else { return nil }
        return plan.policies.first { $0.name == policy }
            .map { plan.iteration(iteration, policy: $0) }
    }
}

extension StoredKill {
    /// The command that repeats the kill; `folder` is the run's, as a command line names it.
    package func replayCommand(folder: String) -> String {
        RowIdentity(policy: planned.policy.name, iteration: planned.iteration, kill: kill)
            .replayCommand(folder: folder)
    }

    /// The text of `replay.txt`: that command, and the one that makes its call fail alone.
    package func replayText(folder: String) -> String {
        let call = manifest.failingCallCommand(
            iteration: planned.iteration, policy: planned.policy.name)
        return [replayCommand(folder: folder), call].compactMap { $0.map { "\($0)\n" } }.joined()
    }
}

extension RowIdentity {
    /// The command that repeats the kill; the only policy of a run goes without saying.
    package func replayCommand(folder: String, isOnlyPolicy: Bool = false) -> String {
        let words =
            ["rig", "replay", folder, "--iteration", "\(iteration)"]
            + (isOnlyPolicy ? [] : ["--policy", policy])
            + (kill > 1 ? ["--kill", "\(kill)"] : [])
        return ShellWord.line(words)
    }

    /// The path of a row's evidence, relative to its run's folder.
    package var evidencePath: String { "evidence/\(policy)-\(iteration)-\(kill)" }
}

/// Words of a command line.
package enum ShellWord {
    /// The words as one line that a POSIX shell splits into the same words.
    package static func line(_ words: [String]) -> String {
        words.map(quoted).joined(separator: " ")
    }

    /// Variable assignments for one command, each followed by a space.
    package static func assignments(_ variables: [String: String]) -> String {
        variables.sorted { $0.key < $1.key }.map { "\($0.key)=\(quoted($0.value)) " }.joined()
    }

    /// The word as a POSIX shell must see it: quoted where it would mean something else unquoted.
    package static func quoted(_ word: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-")
        guard word.isEmpty || !word.allSatisfy(plain.contains) else { return word }
        return "'"
            + word.split(separator: "'", omittingEmptySubsequences: false)
            .joined(separator: "'\\''") + "'"
    }
}
