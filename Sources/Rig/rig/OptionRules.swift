internal import ArgumentParser
internal import OriginFaults
internal import RigModel
internal import RigRun

/// Which options of `rig kill-test` do not go together: the one list of sentences and conditions.
///
/// The first condition that is true is told, and later ones rely on those before. `docs/limits.md`
/// has the sentences; a repository test compares them. What a worker lacks is `WorkerFit`'s.
struct OptionRules {
    private typealias Rules = KeyValuePairs<String, Bool>

    let command: KillTestCommand

    private var kill: KillOptions { command.kill }
    private var at: String? { kill.at?.text }
    private var trigger: TriggerKind { kill.trigger }
    private var fault: Fault { kill.fault }
    private var work: WorkloadOptions { command.work }
    private var workload: Workload { work.workload }
    private var program: CheckOptions { work.program }
    private var video: VideoOptions { command.video }

    func check() throws {
        try refuse(moments)
        if !workload.hasBytes { try refuse(momentsOfAProgram) }
        try refuse(chains)
        try refuse(deaths)
        try refuse(relaunches)
        try refuse(calls)
        try refuse(parts)
        try checkOrigin()
        let policies = try command.size.policies
        try refuse([
            "--exhaustive goes through the calls of one policy; name one in --thresholds.":
                kill.exhaustive && policies.count != 1
        ])
        try refuse(checks)
        if workload.hasBytes {
            if work.spec.values["capacity"] != nil { try refuse(capacities(policies)) }
            try refuse(workloads(policies))
        } else {
            try refuse(downloads)
        }
        try refuse(ends)
    }

    private func refuse(_ rules: Rules) throws {
        if let broken = rules.first(where: { $0.value }) { throw ValidationError(broken.key) }
    }

    private var moments: Rules {
        [
            "--at needs a trigger: add --trigger bytes, time, phase, syscall or said.":
                at != nil && trigger == .random,
            "--kills must be from 1 to \(KillPlan.mostKills).":
                !(1...KillPlan.mostKills).contains(kill.kills),
            "--trigger said is about a program that says lines; add --check.":
                trigger == .said && workload.hasBytes,
        ]
    }

    private var momentsOfAProgram: Rules {
        [
            "--trigger bytes counts what a program downloads, and --check judges one of which the "
                + "rig sees no bytes; use time, syscall or said.": trigger == .bytes,
            "--trigger phase needs a program that tells its phases by a witness page, and --check "
                + "judges one without; use time, syscall or said.": trigger == .phase,
            "--at \(Trigger.end) comes after the last byte of a download, and --check judges a "
                + "program without; give a fraction of its time.":
                trigger == .time && at?.hasPrefix(Trigger.end) == true,
        ]
    }

    /// True where the rig cannot follow all that is killed by its calls.
    private var isOfSeveralPrograms: Bool { workload != .download && workload != .check }

    private var chains: Rules {
        let isChain = kill.kills != 1
        return [
            "With --at never no worker is killed, so --fault \(fault.rawValue) cannot happen; leave "
                + "one out.": kill.sparesWorkers && fault != .sigkill,
            "With --at never no worker is killed, so there are no --kills in a row; leave one out.":
                kill.sparesWorkers && isChain,
            "--kills needs a worker that goes on where it was killed, and a list is replaced as a "
                + "whole: use it with --workload download, playback or switching.":
                isChain && workload == .offlineLibrary,
            "--kills needs a state that is there before a launch, and --fault power-cut-torn builds "
                + "one from what a single launch wrote: use --fault power-cut.":
                isChain && fault == .powerCutTorn,
            "--exhaustive goes through system calls; add --trigger syscall.":
                kill.exhaustive && trigger != .syscall,
            "--exhaustive goes through every call; leave out --at.": kill.exhaustive && at != nil,
            "--trigger syscall goes with --workload download and --check only: the rig's player does "
                + "not learn of a kill by the tracer, and would report the broken connection.":
                trigger == .syscall && isOfSeveralPrograms,
            "--trigger syscall kills by signal 9; leave out --fault \(fault.rawValue).":
                trigger == .syscall && fault.signal != 9,
        ]
    }

    private var deaths: Rules {
        let disk = kill.disk
        return [
            "'\(kill.death.mistake ?? "")' is no grace; write --fault term:5s, or term:0-50ms to "
                + "have it drawn, with at most \(Grace.longest / 1000)s.":
                kill.death.mistake != nil,
            "--trigger phase holds the worker until it dies, and --fault term lets it go on to its "
                + "end; use --trigger bytes or time.": trigger == .phase && fault == .term,
            "--states is about the modelled power cut; add --fault power-cut-torn.":
                kill.states != nil && fault != .powerCutTorn,
            "--disk is about power cuts; add --fault power-cut or power-cut-torn.":
                disk != nil && !fault.isPowerCut,
            "--fault power-cut has a real file system, --disk ext4 or xfs; for "
                + "\(disk?.rawValue ?? "") add --fault power-cut-torn.":
                fault == .powerCut && disk?.isReal == false,
            "--states must be from 1 to \(StateChoice.mostStates), or sweep with as many.":
                !(1...StateChoice.mostStates).contains(kill.crashModel.states.most),
            "--fault power-cut-torn records one program that downloads; use it with --workload "
                + "download, or --fault power-cut.":
                fault == .powerCutTorn && isOfSeveralPrograms,
            "--fault disk-full lets the worker go on, and --trigger phase and syscall hold it; use "
                + "--trigger bytes or time, or --fault call-error --error enospc.":
                fault == .diskFull && [.phase, .syscall].contains(trigger),
            "--fault disk-full kills nothing, so there are no --kills in a row; leave one out.":
                fault == .diskFull && kill.kills != 1,
            "--fault disk-full is met by one program that downloads, or by any with --check; leave "
                + "out --workload.": fault == .diskFull && isOfSeveralPrograms,
        ]
    }

    private var relaunches: Rules {
        let (relaunch, isOnce) = (kill.relaunch, kill.relaunch == .once)
        return [
            "--relaunch \(relaunch.rawValue) is about a download, and not with --check; use once or "
                + "again.": workload == .check && !isOnce && relaunch != .again,
            "--relaunch \(relaunch.rawValue) starts a program that downloads and ends; use it with "
                + "--workload download.": isOfSeveralPrograms && !isOnce,
        ]
    }

    private var calls: Rules {
        let (asked, isChain) = (command.calls, kill.kills != 1)
        let errors = CallError.allCases.map(\.rawValue).joined(separator: ", ")
        let isFailing = fault == .callError
        return [
            "--error, --sticky, --on and --after-fsync are about failing calls; add --fault "
                + "call-error.": !isFailing && !asked.isEmpty,
            "--fault call-error needs to know how the call fails; add --error with one of "
                + "\(errors).": isFailing && asked.error == nil,
            "--after-fsync is about a sync or a close that fails; add --error fsync-eio or "
                + "close-eio, or leave it out.":
                asked.afterSync != nil && asked.error != .fsyncEIO && asked.error != .closeEIO,
            "--fault call-error makes a call fail; add --trigger syscall.":
                isFailing && trigger != .syscall,
            "--after-fsync cuts the power at the end of the launch, so there are no more --kills in "
                + "a row; leave one of them out.": isChain && asked.afterSync != nil,
            "--kills needs a worker that has not done its work, and after --error "
                + "\(asked.error?.rawValue ?? "") a right one does it; use another error, or leave "
                + "one out.": isChain && asked.error?.isHarmless == true,
            "With --fault call-error the call itself fails, not what comes after it; leave out "
                + "':after' in --at.": isFailing && at?.hasSuffix(":after") == true,
        ]
    }

    /// Kills that are spread over phases or calls, or over several runs.
    private var parts: Rules {
        let isStratified = command.phases.stratify
        let isPart = command.parallel.partition != nil
        let what = trigger == .said ? "line" : "call"
        let jobs = command.parallel.jobs.flatMap(JobFit.objection(toNumber:))
        return [
            "--stratify spreads kills over phases or kinds of calls: add --trigger phase or "
                + "--trigger syscall.": isStratified && trigger != .phase && trigger != .syscall,
            "--exhaustive kills at every call: leave out --stratify.":
                isStratified && kill.exhaustive,
            "--stratify spreads kills over all of them, and --at names one, \(at ?? ""); leave one "
                + "of them out.": isStratified && at != nil,
            "--partition needs --seed: parts of different plans do not fit together.":
                isPart && command.size.seed == nil,
            "--partition goes with --trigger \(trigger.rawValue) only when --at names the \(what): "
                + "each part would count the \(what)s of uninterrupted runs for itself, and their "
                + "plans might differ.":
                isPart && at == nil && (trigger == .syscall || trigger == .said),
            "--partition needs --out when --video is a URL: the folder of the parts is named after "
                + "the plan, which is not known before the video is there.":
                isPart && video.isElsewhere && command.results.out == nil,
            jobs ?? "": jobs != nil,
        ]
    }

    private func checkOrigin() throws {
        for fault in video.originFault where !work.spec.changes(by: fault) {
            guard let objection = fault.kind.facts.objection else { continue }
            throw ValidationError(
                "--origin-fault \(fault.text) cannot be judged: \(objection). "
                    + "Use it with 'rig serve'.")
        }
    }

    /// What is about a program that a check judges.
    private var checks: Rules {
        let (isChecked, said) = (program.check != nil, program.said)
        let settings = work.settings.objection
        let given = Self.first([
            "--workload check": workload == .check, "--prepare": program.prepare != nil,
            "--for": program.time != nil, "--check-before": program.checkBefore,
            "--check-sees": program.checkSees != nil, "--said": said != nil,
            "--no-relaunch": program.noRelaunch, "--writable": !program.writable.isEmpty,
        ])
        let unfilled =
            Self.objection(to: program.check, of: "--check", ["dir", "said"])
            ?? Self.objection(to: program.checkSees, of: "--check-sees", ["dir"])
            ?? Self.objection(to: program.prepare, of: "--prepare", ["dir"])
        let isNoTime = program.time.map { Seconds(argument: $0) == nil } ?? false
        let places = (said ?? ProgramCheck.standardOutput)
            .split(separator: "/", omittingEmptySubsequences: false)
        return [
            settings ?? "": settings != nil,
            "\(given ?? "") goes with --check 'COMMAND', which judges what a kill left.":
                !isChecked && given != nil,
            "--check judges a program that downloads nothing; leave out --workload "
                + "\(workload.rawValue).": isChecked && workload != .check,
            unfilled ?? "": unfilled != nil,
            "'\(program.time ?? "")' is no time; write --for 2s, 500ms or 1.5s.": isNoTime,
            "--said names a file below {dir}, stdout or none.":
                places.first == "" || places.contains(".."),
            "--writable names a whole path, such as /dev/shm.":
                program.writable.contains { !$0.hasPrefix("/") },
        ]
    }

    /// What only a program can have that downloads something.
    private var downloads: Rules {
        // Others have a default, so their values do not tell whether they were given.
        let words = Configuration.words.prefix { $0 != "--" }
        let defaulted = ["--thresholds", "--durability", "--video-size", "--video-limit"]
        let written = defaulted.first { option in
            words.contains { $0 == option || $0.hasPrefix("\(option)=") }
        }
        let named = Self.first([
            "--set": !work.settings.isEmpty, "--video": video.video != nil,
            "--bandwidth": video.bandwidth != nil, "--port": video.port != 0, "--tls": video.tls,
            "--origin-fault": !video.originFault.isEmpty,
        ])
        let given = named ?? written
        return [
            "\(given ?? "") is about a download, and --check judges a program without one; leave it "
                + "out.": given != nil
        ]
    }

    private static func first(_ options: Rules) -> String? { options.first { $0.value }?.key }

    /// Why the placeholders of a command cannot be filled; nil if they can, and for no command.
    static func objection(
        to text: String?, of option: String, _ known: Set<String>
    ) -> String? {
        guard let names = text.map({ Set(Placeholders.names(in: $0)) }) else { return nil }
        guard names.contains("dir") else {
            return "\(option) is not told the program's folder; put {dir} into its command."
        }
        return names.subtracting(known).sorted().first.map {
            "there is no placeholder {\($0)} in \(option); put a blank into braces that are text."
        }
    }

    /// With less room, the data being read and the data being saved would not fit.
    private static let leastCapacity: Int64 = 4 << 20

    private func capacities(_ policies: [Policy]) -> Rules {
        let sizes = policies.compactMap(\.threshold?.bytes)
        let given = work.spec.capacity?.bytes ?? 0
        let least = max(Self.leastCapacity, 16 * min(sizes.max() ?? 0, .max / 16))
        return [
            "--set capacity needs a workload with a player: use it with --workload playback or "
                + "switching.": !workload.hasPlayer,
            "--set capacity cannot be judged with 'disabled': a request is saved as a whole then, "
                + "and may not fit; give sizes to --thresholds.": sizes.count < policies.count,
            "--set capacity must be a size of at least \(ByteSize(bytes: least)): 4MB, and 16 times "
                + "the threshold.": given < least,
        ]
    }

    private func workloads(_ policies: [Policy]) -> Rules {
        let name = "--workload \(workload.rawValue)"
        let isOfTwo = workload == .twoPlayers
        let savesAsAWhole = policies.contains { $0.threshold == nil }
        let one = policies.first { $0.players == nil }?.name
        let two = policies.first { $0.players != nil }?.name
        let versions = video.originFault.filter(\.kind.facts.isNewVersion).prefix(2).map(\.text)
        let breaking = video.originFault.first {
            !$0.kind.facts.isHarmless && !work.spec.changes(by: $0)
        }
        return [
            "\(name) needs a threshold for each player, and has \(one ?? ""); give two that differ, "
                + "such as --thresholds 256KB+1MB.": isOfTwo && one != nil,
            "the thresholds \(two ?? "") are for two players; add --workload two-players.":
                !isOfTwo && two != nil,
            "\(name) generates what it serves; leave out --video.":
                video.video != nil && (workload.videoCount > 1 || workload == .offlineLibrary),
            "--workload offline-library has no 'disabled': a list and its images are always saved; "
                + "give sizes to --thresholds.":
                workload == .offlineLibrary && savesAsAWhole,
            "--origin-fault \(versions.joined(separator: " and ")) are two new versions of one "
                + "video; give one.": versions.count > 1,
            // A player cannot tell a broken connection from a broken worker.
            "--origin-fault \(breaking?.text ?? "") cannot be judged with \(name): what it breaks "
                + "may be the worker's doing as well. Use it with --workload download.":
                workload != .download && breaking != nil,
        ]
    }

    private var ends: Rules {
        [
            "--trigger said kills a program right after a line, and with --said none it says none; "
                + "leave out one of them.":
                trigger == .said && program.said == ProgramCheck.nothing,
            "--relaunch \(kill.relaunch.rawValue) starts a killed program, and --no-relaunch does "
                + "not; leave one out.": kill.relaunch != .once && program.noRelaunch,
        ]
    }
}
