internal import Foundation
internal import RigLab
package import RigModel
package import RigVerdict

extension GateBaseline {
    /// How many of the newest runs of a history gates compare with.
    package static let mostOfHistory = 20

    /// What gates compare with, where the paths or else the manifest say; nil when there is nothing.
    ///
    /// Of a history, runs of the same job count that began before: none for a run without a manifest.
    package static func given(
        _ paths: ReferencePaths = ReferencePaths(), of manifest: Manifest? = nil,
        for gates: [Gate], remedy: String? = nil
    ) throws -> GateBaseline? {
        func isUsed(_ reference: GateReference) -> Bool {
            gates.contains { $0.comparesWith(reference) }
        }
        let named = [(paths.baseline, GateReference.baseline), (paths.history, .history)]
        for case (let path?, let reference) in named where !isUsed(reference) {
            let adding =
                "add one such as --gate 'lost_bytes.mean < +5% vs \(reference.rawValue)', or leave it out"
            throw RigError.usage(
                "--\(reference.rawValue) \(path) has no say: no gate compares with it; "
                    + (remedy ?? adding))
        }
        let run: ComparableRun? =
            isUsed(.baseline)
            ? try read(paths.baseline, manifest?.baseline, option: "--baseline RUN", baseline) : nil
        let past: (runs: [ComparableRun], gap: String?)? =
            isUsed(.history)
            ? try read(paths.history, manifest?.history, option: "--history FILE") {
                try history($0, of: manifest, mayBeNew: paths.history != nil)
            } : nil
        guard run != nil || past != nil else { return nil }
        return GateBaseline(run: run, history: past?.runs, gap: past?.gap)
    }

    /// What is named, or else what the manifest names, with advice where that cannot be read.
    private static func read<Value>(
        _ named: String?, _ recorded: String?, option: String, _ read: (String) throws -> Value
    ) throws -> Value? {
        if let named { return try read(named) }
        do {
            return try recorded.map(read)
        } catch let error as RigError {
            throw RigError(
                error.status,
                "the run's gates compare with \(recorded ?? ""), which cannot be read: name where it "
                    + "lies now with \(option) (\(error.message))")
        }
    }

    private static func baseline(_ path: String) throws -> ComparableRun {
        do {
            return try ComparableRun.stored(path, console: .silent)
        } catch let error as RigError {
            throw RigError(error.status, "--baseline: \(error.message)")
        }
    }

    /// The earlier runs of a history, and what is missing among them.
    ///
    /// One that is named may have to be made yet; one that a manifest names is looked for: where it
    /// is not, a run that was moved would be compared with nothing.
    private static func history(
        _ path: String, of manifest: Manifest?, mayBeNew: Bool
    ) throws -> (runs: [ComparableRun], gap: String?) {
        if mayBeNew, !FileManager.default.fileExists(atPath: path) {
            return ([], "there is no \(path) yet")
        }
        let file = try HistoryFile(path)
        guard let manifest else { return ([], nil) }
        let entries = try file.entries(
            of: manifest.job, before: manifest.startedAt, newest: mostOfHistory)
        // A history is kept longer than a version of the rig, whose rows may have other columns.
        let runs = entries.compactMap { entry -> ComparableRun? in
            guard let rows = try? StoredRun.rows(in: entry.csv, file: path, console: .silent)
            else { return nil }
            return ComparableRun(name: entry.runID, rows: rows, facts: nil)
        }
        let unread = entries.count - runs.count
        guard unread > 0 else { return (runs, nil) }
        let which = "\(unread.counted("earlier run")) of \(path)"
        return (runs, "left out: \(which), whose rows this version of the rig does not read")
    }
}

/// The gates that judge a stored run, and what they compare with.
package struct Criteria {
    let gates: [Gate]
    let baseline: GateBaseline?

    package init(
        of manifest: Manifest, given: [Gate]? = nil,
        _ references: ReferencePaths = ReferencePaths(), remedy: String? = nil
    ) throws {
        gates = try Gate.fitting(given ?? manifest.judgedBy, manifest.workload)
        baseline = try .given(references, of: manifest, for: gates, remedy: remedy)
    }

    /// Rejects gates that no rows of the run can satisfy, with exit code 64.
    package func check(_ manifest: Manifest) throws {
        var size = try manifest.size
        size.baseline = baseline
        try Gate.check(gates, size: size)
    }

    package func summary(of manifest: Manifest, _ rows: [IterationRow]) throws -> RunSummary {
        try RunSummary(manifest: manifest, rows: rows, gates: gates, baseline: baseline)
    }
}
