package import RigModel

extension IterationRow {
    package var isConclusive: Bool { verdict != .inconclusive }

    package var isConclusiveKill: Bool { isConclusive && !isSpared }

    /// True when the row breaks a promise of the worker: every failure does, except for a failed
    /// null control (B2), which shows that the rig, or the worker's `disabled` mode, is broken.
    package var isViolation: Bool { verdict == .fail && checkers != [.nullControl] }

    /// True for a pass that may hide a violation, because some promise was not judged; a level of
    /// evidence that the worker never offers, as the row shows, does not count against it.
    package var isUndecided: Bool { verdict == .pass && notJudged.contains(where: isOwed) }

    private func isOwed(_ checker: Checker) -> Bool {
        EvidenceChecker.all.contains {
            $0.checker == checker && $0.judgesPromise
                && $0.needs.allSatisfy { $0.isOffered(in: self) }
        }
    }

    package var isDecided: Bool { isConclusive && !isUndecided }
}
