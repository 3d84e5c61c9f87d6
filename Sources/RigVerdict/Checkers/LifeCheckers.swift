package import RigModel

/// A checker of how lives ended: it finds those that failed by themselves in its way.
package protocol LifeChecker: EvidenceChecker {}

extension LifeChecker {
    /// The failures of all lives that the rig's blow did not end.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        evidence.unstruckLives.compactMap { end in
            guard case .failure(checker, let detail) = LifeVerdict(end) else { return nil }
            return detail
        }
    }

    /// How a life ended is always known.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }
}

/// No life of a worker ends by a signal that the rig did not send.
///
/// Only what the kernel counts as its own doing, for want of memory, is no failure. Another signal 9
/// is one: a worker may end itself so.
package enum CrashChecker: LifeChecker {
    /// The checker's name.
    package static let checker = Checker.crash
}

/// A worker ends with exit code 0 when its work is done, and with none before.
package enum ExitChecker: LifeChecker {
    /// The checker's name.
    package static let checker = Checker.exit
}

/// A worker gets on with its work until that is done.
///
/// Found is every life that the rig had to end because nothing moved any more, or because it took
/// too long.
package enum HangChecker: LifeChecker {
    /// The checker's name.
    package static let checker = Checker.hang
}
