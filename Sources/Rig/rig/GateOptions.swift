internal import ArgumentParser
internal import Foundation
internal import RigRun
internal import RigVerdict

/// The gates of a run, as given on the command line.
struct GateOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A condition that the run must satisfy, e.g. 'loss_percent <= 5'; may be repeated. "
                + "'violations == 0', 'corrupt_bytes == 0' and 'inconclusive_percent <= 10' apply, "
                + "too, each unless a gate of yours is about the same metric.", valueName: "expr"))
    var gate: [String] = []

    @Option(help: ArgumentHelp("The same as --gate 'loss_percent <= P'.", valueName: "p"))
    var maxLossPercent: String?

    @Option(
        help: ArgumentHelp(
            "A run folder, or the iterations.csv of one: what gates such as 'lost_bytes.median < +5% "
                + "vs baseline' compare with.", valueName: "run"), completion: .directory)
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "A file of rig history: what gates such as 'loss_percent < +1 vs history' compare with, "
                + "the newest runs of the same job.", valueName: "file"), completion: .file())
    var history: String?

    var isEmpty: Bool { gate.isEmpty && maxLossPercent == nil && references.isEmpty }

    var references: ReferencePaths { ReferencePaths(baseline: baseline, history: history) }

    /// The given gates, and the defaults for what they do not mention; nil when none are given.
    func given() throws -> [Gate]? {
        let named = try gate.map { try Gate($0) }
        let limit = try maxLossPercent.map { [try Gate("loss_percent <= \($0)")] } ?? []
        let given = named + limit
        return given.isEmpty ? nil : Gate.withDefaults(given)
    }

    /// These paths for the manifest: absolute and with links resolved, since a link such as
    /// `results/latest` will later point to another run.
    var lastingReferences: ReferencePaths {
        func lasting(_ path: String) -> String {
            URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        }
        return ReferencePaths(baseline: baseline.map(lasting), history: history.map(lasting))
    }
}

/// The current path of a stored run's baseline.
struct MovedBaseline: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The new path of the run that its gates compare with, if that was moved.",
            valueName: "run"), completion: .directory)
    var baseline: String?

    @Option(
        help: ArgumentHelp(
            "The new path of the history that its gates compare with, if that was moved.",
            valueName: "file"), completion: .file())
    var history: String?

    var references: ReferencePaths { ReferencePaths(baseline: baseline, history: history) }
}
