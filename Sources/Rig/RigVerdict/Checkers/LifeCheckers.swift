import RigModel

/// A checker of how the lives ended that the rig did not kill.
protocol LifeChecker: EvidenceChecker {}

extension LifeChecker {
    static func knows(_ workload: Workload) -> Bool { true }

    /// The failures of all lives that the rig's kill did not end; how they ended is always known.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        evidence.unkilledLives.compactMap { end in
            guard case .failure(checker, let detail) = LifeVerdict(end) else { return nil }
            return detail
        }
    }
}

/// No life of a worker may end by a signal that the rig did not send.
///
/// Signal 9 is no failure if the kernel counts out-of-memory kills, or does not tell. Any other
/// signal 9 is one: a worker may kill itself.
enum CrashChecker: LifeChecker {
    static let checker = Checker.crash
    static let counts: Set<KillCircumstance> = [.any]
}

/// A worker must exit with code 0 when its work is done, and not before.
enum ExitChecker: LifeChecker {
    static let checker = Checker.exit
    static let counts: Set<KillCircumstance> = [.any]
}

/// A worker in which a call failed may stop with an error, but not call its work done.
enum FalseSuccessChecker: LifeChecker {
    static let checker = Checker.falseSuccess
    static let counts: Set<KillCircumstance> = [.any]

    static func applies(to evidence: IterationEvidence) -> Bool { evidence.fault == .callError }
}

/// A worker must make progress until its work is done.
///
/// Reports every life that the rig had to end because nothing moved any more or its time limit
/// expired.
enum HangChecker: LifeChecker {
    static let checker = Checker.hang
    static let counts: Set<KillCircumstance> = [.any]
}
