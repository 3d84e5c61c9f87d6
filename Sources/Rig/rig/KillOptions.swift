internal import ArgumentParser
internal import RigLab
internal import RigModel
internal import RigRun

extension TriggerKind: ExpressibleByArgument {}

extension FaultChoice: ExpressibleByArgument {
    /// Takes the name of a fault, `term` also with any grace: whether it is one shows later.
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { fault.text(grace) }

    package static var allValueStrings: [String] { Fault.allCases.map(\.rawValue) }
}

extension DiskModel: ExpressibleByArgument {}

extension StateChoice: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { text }
}

extension Relaunch: ExpressibleByArgument {}

extension PinnedMoment: ExpressibleByArgument {
    /// Takes any text: whether it fits the trigger shows with the length of the video.
    package init?(argument: String) { self.init(argument) }
}

/// When and how workers are killed.
struct KillOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What decides the moment of a kill: random (bytes and time in turn), bytes, time, "
                + "phase, or syscall (at a call that changes or syncs files). With --check: random "
                + "(time and said in turn), time, syscall, or said (right after a line)."))
    var trigger: TriggerKind = .random

    @Option(
        help: ArgumentHelp(
            "Pin the trigger: a size for bytes, or two (9.5MB..10MB) over which kills are drawn "
                + "evenly, half of them while bytes flow; for time a fraction of an uninterrupted "
                + "run (0.5, 50%), or never, which kills no worker; the name of a phase for phase; the "
                + "ordinal of a call for syscall (137, 137:after); the number of lines for said.",
            valueName: "value"),
        completion: .moment)
    var at: PinnedMoment?

    @Flag(
        help: ArgumentHelp(
            "With --trigger syscall: a kill before and after every call, or with --fault call-error "
                + "each fails once; --iterations is ignored."))
    var exhaustive = false

    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp(
            "What happens at the kill: sigkill (signal 9, as of a forced quit); abort (signal 6, as "
                + "of a failed assertion); segv (signal 11, as of a wild pointer); oom (the kernel "
                + "kills it for want of memory, in a control group); term, term:5s, term:0-50ms (it is "
                + "asked to end by signal 15, and killed by signal 9 when that grace is over; 5 s by "
                + "default, a range is drawn from the seed); power-cut (its file "
                + "system is shut down and loses what was not synced); power-cut-torn (the same by a "
                + "model: unsynced writes are kept, lost or torn, in any order); call-error (a call "
                + "fails as --error says, and it goes on); disk-full (no room is left on its disk, "
                + "and it goes on).",
            valueName: "kind"), completion: .list(FaultChoice.allValueStrings))
    var death = FaultChoice(.sigkill)

    var fault: Fault { death.fault }

    @Option(
        help: ArgumentHelp(
            "With --fault power-cut: the file system, ext4 (default) or xfs. With power-cut-torn: "
                + "what the disk may do. ext4 (default), xfs and btrfs as these file systems do; "
                + "posix (no more than every system promises); garbage (as ext4, and a sector "
                + "being written holds anything).", valueName: "kind"))
    var disk: DiskModel?

    @Option(
        help: ArgumentHelp(
            "With --fault power-cut-torn: how many of the states that the cut can leave are tried "
                + "per kill, drawn by the seed (1 by default); or sweep: one by one what each "
                + "operation may lose, at most \(StateChoice.usualSweep) or as in sweep:200.",
            valueName: "n"), completion: .list(["sweep", "sweep:200"]))
    var states: StateChoice?

    @Option(
        help: ArgumentHelp(
            "Kills in a row per iteration, also while the worker recovers; with --fault call-error "
                + "the first is the failing call.", valueName: "n"))
    var kills = 1

    @Option(
        help: ArgumentHelp(
            "How a killed worker is started again: once; again (and once more when its work is "
                + "done); twice (two instances at the same moment); other (for another video).",
            valueName: "how"))
    var relaunch: Relaunch = .once

    @Option(
        help: ArgumentHelp(
            "The most seconds that a launch of the worker may take; a longer one is ended, and "
                + "counts as a hang. \(Int(LaboratorySettings.standardTimeLimit)) by default.",
            valueName: "seconds"))
    var timeLimit: Seconds?

    /// Rejects contradictions, and kills that the workload does not support.
    func check(workload: Workload) throws {
        try require(
            at == nil || trigger != .random,
            "--at needs a trigger: add --trigger bytes, time, phase, syscall or said.")
        guard (1...KillPlan.mostKills).contains(kills) else {
            throw ValidationError("--kills must be from 1 to \(KillPlan.mostKills).")
        }
        try checkTrigger(workload: workload)
        try checkSparing()
        try checkChain(workload: workload)
        try checkCalls(workload: workload)
        try checkFault(workload: workload)
        let isOfProgram = workload == .check && relaunch == .again
        try require(
            relaunch == .once || workload == .download || isOfProgram,
            "--relaunch \(relaunch.rawValue) "
                + (workload == .check
                    ? "is about a download, and not with --check; use once or again."
                    : "starts a program that downloads and ends; use it with --workload "
                        + "download."))
    }

    /// Rejects moments that a workload does not have.
    private func checkTrigger(workload: Workload) throws {
        guard !workload.hasBytes else {
            return try require(
                trigger != .said, "--trigger said is about a program that says lines; add --check.")
        }
        try require(
            trigger != .bytes,
            "--trigger bytes counts what a program downloads, and --check judges one of which "
                + "the rig sees no bytes; use time, syscall or said.")
        try require(
            trigger != .phase,
            "--trigger phase needs a program that tells its phases by a witness page, and "
                + "--check judges one without; use time, syscall or said.")
        try require(
            trigger != .time || at?.text.hasPrefix(Trigger.end) != true,
            "--at \(Trigger.end) comes after the last byte of a download, and --check judges a "
                + "program without; give a fraction of its time.")
    }

    func check(policies: [Policy]) throws {
        try require(
            !exhaustive || policies.count == 1,
            "--exhaustive goes through the calls of one policy; name one in --thresholds.")
    }

    var crashModel: CrashModel { CrashModel(disk: disk ?? .ext4, states: states ?? .drawn(1)) }

    var sparesWorkers: Bool { trigger == .time && at?.text == PinnedMoment.never }

    /// Rejects options about a kill when there is none.
    private func checkSparing() throws {
        guard sparesWorkers else { return }
        try require(
            fault == .sigkill,
            "With --at never no worker is killed, so --fault \(fault.rawValue) cannot happen; "
                + "leave one out.")
        try require(
            kills == 1,
            "With --at never no worker is killed, so there are no --kills in a row; leave one "
                + "out.")
    }

    private func checkChain(workload: Workload) throws {
        try require(
            kills == 1 || workload != .offlineLibrary,
            "--kills needs a worker that goes on where it was killed, and a list is replaced as "
                + "a whole: use it with --workload download, playback or switching.")
        try require(
            kills == 1 || fault != .powerCutTorn,
            "--kills needs a state that is there before a launch, and --fault power-cut-torn "
                + "builds one from what a single launch wrote: use --fault power-cut.")
    }

    private func checkCalls(workload: Workload) throws {
        guard trigger == .syscall else {
            return try require(
                !exhaustive, "--exhaustive goes through system calls; add --trigger syscall.")
        }
        try require(
            !exhaustive || at == nil, "--exhaustive goes through every call; leave out --at.")
        try require(
            [.download, .check].contains(workload),
            "--trigger syscall goes with --workload download and --check only: the rig's player "
                + "does not learn of a kill by the tracer, and would report the broken connection.")
        try require(
            fault.signal == 9,
            "--trigger syscall kills by signal 9; leave out --fault \(fault.rawValue).")
    }

    private func checkFault(workload: Workload) throws {
        if let mistake = death.mistake {
            throw ValidationError(
                "'\(mistake)' is no grace; write --fault term:5s, or term:0-50ms to have it drawn, "
                    + "with at most \(Grace.longest / 1000)s.")
        }
        try require(
            fault != .term || trigger != .phase,
            "--trigger phase holds the worker until it dies, and --fault term lets it go on to "
                + "its end; use --trigger bytes or time.")
        try checkFullDisk(workload: workload)
        try require(
            fault == .powerCutTorn || states == nil,
            "--states is about the modelled power cut; add --fault power-cut-torn.")
        try checkDisk()
        try require(
            (1...StateChoice.mostStates).contains(crashModel.states.most),
            "--states must be from 1 to \(StateChoice.mostStates), or sweep with as many.")
        try require(
            fault != .powerCutTorn || [.download, .check].contains(workload),
            "--fault power-cut-torn records one program that downloads; use it with --workload "
                + "download, or --fault power-cut.")
    }

    private func checkFullDisk(workload: Workload) throws {
        guard fault == .diskFull else { return }
        try require(
            ![.phase, .syscall].contains(trigger),
            "--trigger \(trigger.rawValue) stops the worker at its moment, and --fault disk-full "
                + "lets it go on; use --trigger bytes or time, or --fault call-error --error enospc."
        )
        try require(
            kills == 1,
            "--fault disk-full kills nothing; leave out --kills, or use --fault call-error --error "
                + "enospc.")
        try require(
            [.download, .check].contains(workload),
            "--fault disk-full is met by one program that downloads, or by any with --check; leave "
                + "out --workload.")
    }

    private func checkDisk() throws {
        guard let disk, fault != .powerCutTorn else { return }
        try require(
            fault == .powerCut,
            "--disk is about power cuts; add --fault power-cut or power-cut-torn.")
        try require(
            disk.isReal,
            "--fault power-cut has a real file system, --disk ext4 or xfs; for "
                + "\(disk.rawValue) add --fault power-cut-torn.")
    }
}

/// The distribution of kills over the worker's phases, or over the kinds of its calls.
struct PhaseOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "With --trigger phase: as many kills in each phase as in any other. With --trigger "
                + "syscall: as many at each kind of call, so that the few renames are not lost "
                + "among many writes."))
    var stratify = false

    func check(_ kill: KillOptions) throws {
        guard stratify else { return }
        try require(
            [.phase, .syscall].contains(kill.trigger),
            "--stratify spreads kills over phases or kinds of calls: add --trigger phase or "
                + "--trigger syscall.")
        try require(!kill.exhaustive, "--exhaustive kills at every call: leave out --stratify.")
        if let moment = kill.at {
            throw ValidationError(
                "--stratify spreads kills over all of them, and --at names one, \(moment.text); "
                    + "leave one of them out.")
        }
    }
}

extension CallError: ExpressibleByArgument {}

extension AfterSync: ExpressibleByArgument {}

extension Sticky: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }

    package var defaultValueDescription: String { text }
}

/// How calls fail under `--fault call-error`.
struct CallOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "With --fault call-error, what becomes of the call: eio, enospc, edquot or emfile (it is "
                + "not made and returns that error); short-write, short-read (half of the bytes); "
                + "fsync-eio, close-eio, rename-eio (that kind of call returns EIO); slow (it takes "
                + "a second longer).", valueName: "kind"))
    var error: CallError?

    @Option(
        help: ArgumentHelp(
            "With --fault call-error, which later calls fail as well: once (none), until-relaunch "
                + "(all that can), every:N. once by default, but a full disk stays full.",
            valueName: "how"), completion: .list(["once", "until-relaunch", "every:2"]))
    var sticky: Sticky?

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "With --fault call-error, the files whose calls fail, as a shell's pattern ('*.tmp'); "
                + "all by default.", valueName: "glob"))
    var pattern: String?

    @Option(
        name: .customLong("after-fsync"),
        help: ArgumentHelp(
            "With --error fsync-eio or close-eio, what the file system does with what it could not "
                + "write, before the power is cut at the end of the launch: ext4 and xfs take it for "
                + "clean; btrfs goes back to what it has; ext4-data (data=journal) reports a failed "
                + "sync at the next one.",
            valueName: "fs"))
    var afterSync: AfterSync?

    /// What the options ask for; nil without an error.
    var failure: CallFailure? {
        error.map { CallFailure($0, sticky: sticky, pattern: pattern, afterSync: afterSync) }
    }

    func check(_ kill: KillOptions) throws {
        guard kill.fault == .callError else {
            return try require(
                error == nil && sticky == nil && pattern == nil && afterSync == nil,
                "--error, --sticky, --on and --after-fsync are about failing calls; add --fault "
                    + "call-error.")
        }
        guard let error else {
            let errors = CallError.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "--fault call-error needs to know how the call fails; add --error with one of "
                    + "\(errors).")
        }
        try require(
            error == .fsyncEIO || error == .closeEIO || afterSync == nil,
            "--after-fsync is about a sync or a close that fails; add --error fsync-eio or "
                + "close-eio, or leave it out.")
        guard kill.trigger == .syscall else {
            throw ValidationError("--fault call-error makes a call fail; add --trigger syscall.")
        }
        try require(
            kill.kills == 1 || afterSync == nil,
            "--after-fsync cuts the power at the end of the launch, so there are no more "
                + "--kills in a row; leave one of them out.")
        try require(
            kill.kills == 1 || !error.isHarmless,
            "--kills needs a worker that has not done its work, and after --error "
                + "\(error.rawValue) a right one does it; use another error, or leave one out.")
        try require(
            kill.at?.text.hasSuffix(":after") != true,
            "With --fault call-error the call itself fails, not what comes after it; leave out "
                + "':after' in --at.")
    }
}
