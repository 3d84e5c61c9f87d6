extension Manifest {
    /// The manifest of another plan for the same run: a whole one, in one job, without a port.
    package func with(plan: KillPlan, video: Video, fault: Fault? = nil) -> Manifest {
        var manifest = self
        manifest.plan = plan
        manifest.video = video
        manifest.fault = fault ?? spec.fault
        (manifest.spec.partition, manifest.spec.port, manifest.spec.jobs) = (nil, nil, nil)
        (manifest.record.parts, manifest.record.resumed) = (nil, nil)
        return manifest
    }

    /// The command that carries out this manifest's plan, with pinned kills, unchanged.
    package func killTestCommand(iterations: Int) -> String {
        let (plan, video, profile) = (record.plan, record.video, spec.profile)
        let assignments = ShellWord.assignments(record.environment ?? [:])
        var words = ["rig", "kill-test", "--iterations", "\(iterations)"]
        if spec.workload.hasBytes {
            words += ["--thresholds", plan.policies.map(\.name).joined(separator: ",")]
        }
        words += ["--trigger", plan.trigger.rawValue]
        if let at = plan.at { words += ["--at", at] }
        if plan.kills > 1 { words += ["--kills", "\(plan.kills)"] }
        if spec.fault != .sigkill { words += ["--fault", faultText] }
        words += spec.callFailure?.words ?? []
        if let crashModel = spec.crashModel {
            words += ["--disk", crashModel.disk.rawValue]
            if crashModel.states != .drawn(1) { words += ["--states", crashModel.states.text] }
        }
        if let relaunch = spec.relaunch { words += ["--relaunch", relaunch.rawValue] }
        words += ["--seed", "\(plan.seed)"]
        if let workerOption = spec.workerOption, workerOption != WorkerProfile.referenceName {
            words += ["--worker", workerOption]
        }
        if let check = profile?.check {
            words += check.options
            words += (profile?.writable ?? []).flatMap { ["--writable", $0] }
        } else if spec.workload != .download {
            words += ["--workload", spec.workload.rawValue]
        }
        for (name, value) in spec.values.sorted(by: { $0.key < $1.key }) {
            words += ["--set", "\(name)=\(value)"]
        }
        if spec.workload.hasBytes {
            let durability = plan.policies.first?.durability ?? .process
            if durability != .process { words += ["--durability", durability.rawValue] }
            words +=
                video.source == "fixture"
                ? ["--video-size", "\(video.length)"] : ["--video", video.source]
        }
        if let bandwidth = record.bandwidth { words += ["--bandwidth", "\(bandwidth)/s"] }
        if let timeLimit = spec.timeLimit { words += ["--time-limit", "\(timeLimit)"] }
        if spec.tls == true { words.append("--tls") }
        for fault in spec.originFaults ?? [] { words += ["--origin-fault", fault.text] }
        if let profile, spec.workerOption == nil { words += ["--"] + profile.command }
        return assignments + ShellWord.line(words)
    }

    /// The moment at which an iteration's call failed, as `--at` names it; nil where none can.
    package func failingCall(iteration: Int, policy: String) -> String? {
        failing(iteration, policy)?.first.trigger.planned
    }

    /// The command that lets just that call fail, in a run of its own; nil likewise.
    package func failingCallCommand(iteration: Int, policy: String) -> String? {
        failing(iteration, policy).map { planned in
            with(plan: record.plan.repeating(planned), video: record.video)
                .killTestCommand(iterations: 1)
        }
    }

    private func failing(_ iteration: Int, _ policy: String) -> PlannedIteration? {
        guard spec.fault == .callError else { return nil }
        return record.plan.policies.first { $0.name == policy }
            .map { record.plan.iteration(iteration, policy: $0) }
    }
}

extension StoredKill {
    /// The command that repeats the kill; `folder` is the run's, as a command line names it.
    package func replayCommand(folder: String) -> String {
        identity.replayCommand(folder: folder)
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

    package var evidencePath: String { "evidence/\(policy)-\(iteration)-\(kill)" }
}

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
