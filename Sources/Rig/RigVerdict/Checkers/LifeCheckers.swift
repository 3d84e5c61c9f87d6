package import RigModel

/// A checker of how the lives ended that the rig did not kill.
package protocol LifeChecker: EvidenceChecker {}

extension LifeChecker {
    /// The failures of all lives that the rig's kill did not end.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        evidence.unkilledLives.compactMap { end in
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

/// No life of a worker may end by a signal that the rig did not send.
///
/// Signal 9 is no failure if the kernel counts out-of-memory kills, or does not tell. Any other
/// signal 9 is one: a worker may kill itself.
package enum CrashChecker: LifeChecker {
    /// The checker's name.
    package static let checker = Checker.crash
}

/// A worker must exit with code 0 when its work is done, and not before.
package enum ExitChecker: LifeChecker {
    /// The checker's name.
    package static let checker = Checker.exit
}

/// A worker must make progress until its work is done.
///
/// Reports every life that the rig had to end because nothing moved any more or its time limit
/// expired.
package enum HangChecker: LifeChecker {
    /// The checker's name.
    package static let checker = Checker.hang
}
