package import RigModel

extension IterationRow {
    package var isConclusive: Bool { verdict != .inconclusive }

    package var isConclusiveKill: Bool { isConclusive && !isSpared }

    /// True when the row counts for the metric `violations`: it breaks a promise of the worker.
    ///
    /// Every failure does, except one: a failed null control (B2) shows that the rig is broken, or
    /// the worker's `disabled` mode is. `disabled` promises no loss bound, and its rows are judged
    /// by durability, integrity, the ledger and completion alone, so nothing else can count.
    package var isViolation: Bool { verdict == .fail && checkers != [.nullControl] }

    /// True for a pass that may hide a violation, because some promise was not judged.
    ///
    /// A level of evidence that the worker never offers does not count against it. The row shows
    /// what the worker offers: the phase comes from the page, the integrity from the state, and the
    /// served bytes from the rig's own origin.
    package var isUndecided: Bool { verdict == .pass && notJudged.contains(where: isOwed) }

    private func isOwed(_ checker: Checker) -> Bool {
        EvidenceChecker.all.contains {
            $0.checker == checker && $0.judgesPromise
                && $0.needs.allSatisfy { $0.isOffered(in: self) }
        }
    }

    /// True when the row shows whether the worker broke a promise.
    package var isDecided: Bool { isConclusive && !isUndecided }
}
