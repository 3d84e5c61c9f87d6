package import RigModel

/// No life of a worker ends by a signal that the rig did not send.
package enum CrashChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.crash

    /// Every signal that ended a life and was neither the rig's nor, as far as the kernel counts, for
    /// want of memory.
    ///
    /// Signal 9 of another program counts as well where nothing shows it: a worker may end itself so.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        evidence.failures(of: checker)
    }

    /// How a life ended is always known.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }
}

/// A worker ends with exit code 0 when its work is done, and with none before.
package enum ExitChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.exit

    /// Every other exit code than the one of a life that did its work, and that one where the work
    /// was not done.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        evidence.failures(of: checker)
    }

    /// How a life ended is always known.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }
}

/// A worker gets on with its work until that is done.
package enum HangChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.hang

    /// Every life that the rig had to end because nothing moved any more, or because it took too
    /// long.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        evidence.failures(of: checker)
    }

    /// How a life ended is always known.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }
}

extension IterationEvidence {
    /// How lives of the iteration failed by themselves, as far as a checker is about it.
    fileprivate func failures(of checker: Checker) -> [String] {
        unstruckLives.compactMap { end in
            guard case .failure(checker, let detail) = LifeVerdict(end) else { return nil }
            return detail
        }
    }
}
