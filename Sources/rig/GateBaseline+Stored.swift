internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigVerdict

extension GateBaseline {
    /// The run that gates compare with.
    ///
    /// - Parameters:
    ///   - path: a run folder or a file of rows; nil where none is named.
    ///   - gates: the gates.
    /// - Returns: nil where no path is given, or no gate compares.
    /// - Throws: ``RigError`` with exit code 65 when it cannot be read.
    static func stored(_ path: String?, for gates: [Gate]) throws -> GateBaseline? {
        guard let path, gates.contains(where: \.needsBaseline) else { return nil }
        do {
            return GateBaseline(
                try ComparableRun.stored(
                    path, console: Console(isQuiet: true, isVerbose: false, usesColor: false)))
        } catch let error as RigError {
            throw RigError(error.status, "--baseline: \(error.message)")
        }
    }

    /// The run that gates compare with, where one may be named instead of the one on record.
    ///
    /// - Parameters:
    ///   - path: what the user named.
    ///   - recorded: the path that a stored run's manifest has.
    ///   - gates: the gates that apply.
    ///   - remedy: what to do about a run that was named and has no say.
    /// - Returns: nil where no gate compares, or there is nothing to compare with.
    /// - Throws: ``RigError`` with exit code 65 when it cannot be read, 64 when one was named and no
    ///   gate asks for it.
    static func named(
        _ path: String?, recorded: String?, for gates: [Gate], remedy: String
    ) throws -> GateBaseline? {
        if let path {
            guard gates.contains(where: \.needsBaseline) else {
                throw RigError(
                    .usage,
                    "--baseline \(path) has no say: no gate compares with it; \(remedy)")
            }
            return try .stored(path, for: gates)
        }
        do {
            return try .stored(recorded, for: gates)
        } catch let error as RigError {
            throw RigError(
                error.status,
                "the run's gates compare with \(recorded ?? "another run"), which cannot be read: "
                    + "name where it lies now with --baseline RUN (\(error.message))")
        }
    }
}

/// Where the baseline of a stored run lies now.
struct MovedBaseline: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The run that its gates compare with, where that no longer lies where it was.",
            valueName: "run"))
    var baseline: String?
}

extension GateOptions {
    /// The run that gates compare with.
    ///
    /// - Parameters:
    ///   - gates: the gates that apply.
    ///   - recorded: the path that a stored run's manifest has, for where the options name none.
    /// - Returns: nil where no gate compares, or there is nothing to compare with.
    /// - Throws: ``RigError`` with exit code 65 when it cannot be read, 64 when one was named and no
    ///   gate asks for it.
    func baseline(for gates: [Gate], recorded: String? = nil) throws -> GateBaseline? {
        try .named(
            baseline, recorded: recorded, for: gates,
            remedy: "add one such as --gate 'lost_bytes.mean < +5% vs baseline', or leave it out")
    }

    /// The baseline's path as a manifest keeps it: from the root, and not by a link such as
    /// `results/latest`, which will mean another run by then.
    var baselinePath: String? {
        baseline.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }
}
