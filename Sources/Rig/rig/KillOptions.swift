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
                + "run (0.5, 50%), end for kills all over the end of the work (or end:0.5), or never, "
                + "which kills no worker; the name of a phase for phase; the ordinal of a call for "
                + "syscall (137, 137:after, rename:2); the number of lines for said.",
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
                + "model: what was not synced is there, lost or torn, as --disk says); call-error (a "
                + "call fails as --error says, and it goes on); disk-full (no room is left on its "
                + "disk, and it goes on).",
            valueName: "kind"), completion: .list(FaultChoice.allValueStrings))
    var death = FaultChoice(.sigkill)

    var fault: Fault { death.fault }

    @Option(
        help: ArgumentHelp(
            "With --fault power-cut: the file system, ext4 (default) or xfs. With power-cut-torn: "
                + "what the disk may do. ext4 (default), xfs and btrfs as these file systems do; "
                + "posix (what POSIX promises of names and data); garbage (as ext4, and the "
                + "4096 bytes around a sector being written hold anything).", valueName: "kind"))
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

    var crashModel: CrashModel { CrashModel(disk: disk ?? .ext4, states: states ?? .drawn(1)) }
    var sparesWorkers: Bool { trigger == .time && at?.text == PinnedMoment.never }
}

/// The distribution of kills over the worker's phases, or over the kinds of its calls.
struct PhaseOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "With --trigger phase: as many kills in each phase as in any other. With --trigger "
                + "syscall: as many at each kind of call, so that the few renames are not lost "
                + "among many writes."))
    var stratify = false
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

    var failure: CallFailure? {
        error.map { CallFailure($0, sticky: sticky, pattern: pattern, afterSync: afterSync) }
    }

    var isEmpty: Bool { error == nil && sticky == nil && pattern == nil && afterSync == nil }
}
