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
        if let baseline, !gates.contains(where: \.needsBaseline) {
            throw RigError(
                .usage,
                "--baseline \(baseline) has no say: no gate compares with it; add one such as --gate "
                    + "'lost_bytes.mean < +5% vs baseline', or leave it out")
        }
        return try .stored(baseline ?? recorded, for: gates)
    }

    /// The baseline's path as a manifest keeps it: from the root, and not by a link such as
    /// `results/latest`, which will mean another run by then.
    var baselinePath: String? {
        baseline.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }
}
