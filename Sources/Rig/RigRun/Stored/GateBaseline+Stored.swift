internal import Foundation
internal import RigLab
package import RigModel
package import RigVerdict

extension GateBaseline {
    /// How many of the newest runs of a history gates compare with.
    package static let mostOfHistory = 20

    /// What to do about a reference that no gate of a command line uses.
    private static func adding(_ reference: GateReference) -> String {
        "add one such as --gate 'lost_bytes.mean < +5% vs \(reference.rawValue)', or leave it out"
    }

    /// What the gates of a run compare with that has not begun: of a history nothing yet, because
    /// only the run's manifest says which job it is.
    ///
    /// - Returns: nil when no gate compares, or there is nothing to compare with.
    package static func given(_ paths: ReferencePaths, for gates: [Gate]) throws -> GateBaseline? {
        try check(paths, for: gates, remedy: adding)
        let run = try baseline(paths.baseline, for: gates)
        let history = try paths.history.flatMap { path -> [ComparableRun]? in
            guard gates.contains(where: { $0.comparesWith(.history) }) else { return nil }
            _ = try Self.file(path)
            return []
        }
        return run == nil && history == nil ? nil : GateBaseline(run: run, history: history)
    }

    /// What the gates of a run compare with.
    ///
    /// - Parameters:
    ///   - paths: what the user names; what is not named is where the manifest says.
    ///   - manifest: of the run; of a history, only runs of its job that began before it count.
    ///   - remedy: what to do about a named reference that no gate uses; nil for the advice to add
    ///     a gate.
    /// - Returns: nil when no gate compares, or there is nothing to compare with.
    package static func given(
        _ paths: ReferencePaths = ReferencePaths(), of manifest: Manifest, for gates: [Gate],
        remedy: String? = nil
    ) throws -> GateBaseline? {
        try check(paths, for: gates) { remedy ?? adding($0) }
        let run: ComparableRun?
        let runs: [ComparableRun]?
        if let named = paths.baseline {
            run = try baseline(named, for: gates)
        } else {
            run = try recorded(manifest.baseline, option: "--baseline RUN") {
                try baseline($0, for: gates)
            }
        }
        if let named = paths.history {
            runs = try history(named, of: manifest, for: gates)
        } else {
            runs = try recorded(manifest.history, option: "--history FILE") {
                try history($0, of: manifest, for: gates)
            }
        }
        return run == nil && runs == nil ? nil : GateBaseline(run: run, history: runs)
    }

    private static func check(
        _ paths: ReferencePaths, for gates: [Gate], remedy: (GateReference) -> String
    ) throws(RigError) {
        for (path, reference) in [
            (paths.baseline, GateReference.baseline), (paths.history, .history),
        ] {
            guard let path, !gates.contains(where: { $0.comparesWith(reference) }) else { continue }
            throw RigError(
                .usage,
                "--\(reference.rawValue) \(path) has no say: no gate compares with it; "
                    + remedy(reference))
        }
    }

    /// What the manifest names, with advice where it cannot be read.
    private static func recorded<Value>(
        _ path: String?, option: String, _ read: (String) throws -> Value?
    ) throws -> Value? {
        guard let path else { return nil }
        do {
            return try read(path)
        } catch let error as RigError {
            throw RigError(
                error.status,
                "the run's gates compare with \(path), which cannot be read: name where it lies now "
                    + "with \(option) (\(error.message))")
        }
    }

    /// The run of `vs baseline`; nil when no path is given, or no gate compares with it.
    private static func baseline(_ path: String?, for gates: [Gate]) throws -> ComparableRun? {
        guard let path, gates.contains(where: { $0.comparesWith(.baseline) }) else { return nil }
        do {
            return try ComparableRun.stored(path, console: quiet)
        } catch let error as RigError {
            throw RigError(error.status, "--baseline: \(error.message)")
        }
    }

    /// The runs of `vs history`; nil when no gate compares with it.
    private static func history(
        _ path: String, of manifest: Manifest, for gates: [Gate]
    ) throws -> [ComparableRun]? {
        guard gates.contains(where: { $0.comparesWith(.history) }) else { return nil }
        let entries = try file(path)?.entries(
            of: manifest.job, before: manifest.startedAt, newest: mostOfHistory)
        return try (entries ?? []).map { entry in
            ComparableRun(
                name: entry.runID,
                rows: try StoredRun.rows(
                    in: entry.csv, file: "\(path), run \(entry.runID)", console: quiet),
                facts: nil)
        }
    }

    /// The history in a file; nil where there is none yet.
    private static func file(_ path: String) throws -> HistoryFile? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try HistoryFile(path)
    }

    private static var quiet: Console {
        Console(isQuiet: true, isVerbose: false, usesColor: false)
    }
}
