package import RigModel

extension IterationRow {
    /// True unless the kill proves nothing.
    package var isConclusive: Bool { verdict != .inconclusive }

    /// True when somebody was killed and it proves something.
    package var isConclusiveKill: Bool { isConclusive && !isSpared }

    /// The checkers named in a failed row's reason; empty for any other row.
    package var failedCheckers: Set<Checker> {
        guard verdict == .fail else { return [] }
        let names = reason.split(separator: "; ").compactMap { finding in
            finding.split(separator: ": ", maxSplits: 1).first
        }
        return Set(names.compactMap { Checker(rawValue: String($0)) })
    }

    /// True when the row counts for the metric `violations`: it breaks a promise of the worker.
    ///
    /// Every failure does, except one: a null control (B2) that fails says that the rig is broken,
    /// or the worker's `disabled` mode is. `disabled` promises no loss bound, and its rows are
    /// judged by durability, integrity, the ledger and completion alone, so nothing else can count.
    package var isViolation: Bool {
        verdict == .fail && failedCheckers != [.nullControl]
    }
}
