/// The results of repeating a kill; only a failure by the same checkers reproduces it.
package struct ReplayTally: Sendable, Hashable {
    package let original: Verdict
    /// The checkers that failed it in the run; empty if it did not fail.
    package let checkers: Set<Checker>
    /// Kills that failed by all of those checkers, and possibly by more.
    package var reproduced = 0
    /// Kills that failed differently, by their checkers.
    package var otherwise: [Set<Checker>: Int] = [:]
    package var passed = 0
    package var inconclusive: [String: Int] = [:]

    package init(original: Verdict, checkers: Set<Checker>) {
        (self.original, self.checkers) = (original, checkers)
    }

    /// Counts one repetition; true when it failed as the original kill did.
    @discardableResult
    package mutating func count(_ row: IterationRow) -> Bool {
        switch row.verdict {
        case .pass: passed += 1
        case .inconclusive: inconclusive[row.reason, default: 0] += 1
        case .fail:
            guard !checkers.isEmpty, row.checkers.isSuperset(of: checkers) else {
                otherwise[row.checkers, default: 0] += 1
                return false
            }
            reproduced += 1
            return true
        }
        return false
    }

    package var times: Int { reproduced + failedOtherwise + passed + provedNothing }
    package var failedOtherwise: Int { otherwise.values.reduce(0, +) }
    package var provedNothing: Int { inconclusive.values.reduce(0, +) }

    /// 99 after any failure, otherwise 98 if every kill was inconclusive, otherwise 0.
    package var status: ExitStatus {
        if reproduced + failedOtherwise > 0 { return .gateFailed }
        return passed > 0 ? .success : .inconclusive
    }

    /// How often a smaller case is tried before it counts as not failing: one as frequent is missed
    /// with a probability of at most 1 %, by the rule of succession.
    package var triesPerCandidate: Int {
        let missed = Double(times - reproduced + 1) / Double(times + 2)
        var (tries, probability) = (0, 1.0)
        while probability > 0.01, tries < times {
            tries += 1
            probability *= missed
        }
        return max(1, tries)
    }
}
