internal import ArgumentParser
internal import RigLab

/// The guardian process, which `rig` starts itself.
struct GuardCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Guardian.commandName,
        abstract: "Kill a run's workers once standard input ends.", shouldDisplay: false)

    @Argument(help: "The mark of the run's workers.") var mark: String
    @Argument(help: "The run's own folder.") var folder: String?

    func run() { Guardian.standGuard(mark: mark, folder: folder) }
}
