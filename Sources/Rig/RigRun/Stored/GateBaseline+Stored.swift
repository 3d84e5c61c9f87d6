internal import Foundation
internal import RigModel
package import RigVerdict

extension GateBaseline {
    /// The run that gates compare with.
    ///
    /// - Parameter path: a run folder or a file of rows; nil when none is named.
    /// - Returns: nil when no path is given, or no gate compares.
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

    /// The run that the gates of a command line compare with.
    ///
    /// - Parameter recorded: the path in a stored run's manifest, used when the user names none.
    /// - Returns: nil when no gate compares, or there is nothing to compare with.
    /// - Throws: what ``named(_:recorded:for:remedy:)`` throws.
    package static func given(
        _ path: String?, recorded: String? = nil, for gates: [Gate]
    ) throws -> GateBaseline? {
        try .named(
            path, recorded: recorded, for: gates,
            remedy: "add one such as --gate 'lost_bytes.mean < +5% vs baseline', or leave it out")
    }

    /// The run that gates compare with: the one that the user names, otherwise the recorded one.
    ///
    /// - Parameters:
    ///   - recorded: the path in a stored run's manifest.
    ///   - remedy: what to do about a named run that no gate uses.
    /// - Returns: nil when no gate compares, or there is nothing to compare with.
    /// - Throws: ``RigError`` with exit code 65 when it cannot be read, 64 when the user named one
    ///   that no gate uses.
    package static func named(
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
