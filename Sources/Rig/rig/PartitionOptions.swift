internal import ArgumentParser
internal import RigModel

extension RunPartition: ExpressibleByArgument {
    /// Parses `slice:M/N`.
    package init?(argument: String) { self.init(argument) }
}

/// The part of the plan to execute.
struct PartitionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Only part M of N of the plan, into part-M-of-N below --out; needs --seed. The verdict "
                + "comes from 'rig judge' for all parts.", valueName: "slice:m/n"))
    var partition: RunPartition?

    /// Rejects runs that cannot be partitioned.
    func check(_ command: KillTestCommand) throws {
        guard partition != nil else { return }
        try require(
            command.size.seed != nil,
            "--partition needs --seed: parts of different plans do not fit together.")
        let trigger = command.kill.trigger
        guard ![.syscall, .said].contains(trigger) || command.kill.at != nil else {
            let what = trigger == .said ? "line" : "call"
            throw ValidationError(
                "--partition goes with --trigger \(trigger.rawValue) only when --at names the \(what): "
                    + "each part would count the \(what)s of uninterrupted runs for itself, and their "
                    + "plans might differ.")
        }
        try require(
            !command.video.isElsewhere || command.results.out != nil,
            "--partition needs --out when --video is a URL: the folder of the parts is named "
                + "after the plan, which is not known before the video is there.")
    }
}
