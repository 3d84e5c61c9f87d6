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
            let run = try ComparableRun.stored(
                path, console: Console(isQuiet: true, isVerbose: false, usesColor: false))
            return GateBaseline(name: path, rows: run.rows)
        } catch let error as RigError {
            throw RigError(
                error.status, "the baseline: \(error.message); name another by --baseline")
        }
    }
}

extension GateOptions {
    /// The baseline's path as a manifest keeps it: from the root, and not by a link such as
    /// `results/latest`, which will mean another run by then.
    var baselinePath: String? {
        baseline.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
    }
}
