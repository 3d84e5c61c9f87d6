/// What came of repeating one planned kill.
///
/// A reproduction is a failure by the same checkers as in the run, not any failure: another bug that
/// shows up meanwhile must not pass for the one that is looked for.
package struct ReplayTally: Sendable, Hashable {
    /// The verdict of the kill in the run.
    package let original: Verdict
    /// The checkers by which it failed in the run; empty when it did not fail.
    package let checkers: Set<Checker>
    /// Kills that failed by all of those checkers, and perhaps by more.
    package var reproduced = 0
    /// Kills that failed by others, by the checkers that they failed by.
    package var otherwise: [Set<Checker>: Int] = [:]
    /// Kills without a finding.
    package var passed = 0
    /// Kills that proved nothing, by the reason.
    package var inconclusive: [String: Int] = [:]

    /// Nothing has been repeated yet.
    package init(original: Verdict, checkers: Set<Checker>) {
        self.original = original
        self.checkers = checkers
    }

    /// How often the kill was repeated.
    package var times: Int { reproduced + failedOtherwise + passed + provedNothing }

    /// Kills that failed, but not as in the run.
    package var failedOtherwise: Int { otherwise.values.reduce(0, +) }

    /// Kills that proved nothing.
    package var provedNothing: Int { inconclusive.values.reduce(0, +) }

    /// The exit code: 99 for a failure of whatever kind, 98 when nothing was proven, else 0.
    package var status: ExitStatus {
        if reproduced + failedOtherwise > 0 { return .gateFailed }
        return passed > 0 ? .success : .inconclusive
    }

    /// How often a smaller case has to be tried before it counts as one that does not fail.
    ///
    /// A failure that comes as often as this one is then missed with a probability of at most 1 %.
    /// How often it comes is estimated by the rule of succession: three of three is not always.
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
