internal import ArgumentParser
internal import RigModel
internal import RigRun

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

    /// Rejects what does not go together.
    func check(_ kill: KillOptions) throws {
        guard kill.fault == .callError else {
            guard error == nil, sticky == nil, pattern == nil, afterSync == nil else {
                throw ValidationError(
                    "--error, --sticky, --on and --after-fsync are about failing calls; add --fault "
                        + "call-error.")
            }
            return
        }
        guard error != nil else {
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
        if let error, kill.kills > 1, error.isHarmless {
            throw ValidationError(
                "--kills needs a worker that has not done its work, and after --error "
                    + "\(error.rawValue) a right one does it; use another error, or leave one out.")
        }
        try require(
            kill.at?.text.hasSuffix(":after") != true,
            "With --fault call-error the call itself fails, not what comes after it; leave out "
                + "':after' in --at.")
    }
}
