import RigModel

/// The check that the user has given must find nothing wrong.
///
/// What it refuses is wrong whatever became of the kill: what was said by then had been promised.
enum CheckChecker: EvidenceChecker {
    static let checker = Checker.check
    static let counts: Set<KillCircumstance> = [.any]

    static func knows(_ workload: Workload) -> Bool { workload == .check }

    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let check = evidence.check else { return [] }
        var details: [String] = []
        let failed = evidence.failedCall.map { "\($0.words): " } ?? ""
        if case .violated(let why)? = check.before {
            details.append("\(failed)before the relaunch: \(why)")
        }
        if case .violated(let why) = check.after { details.append(failed + why) }
        return details
    }

    /// Without a check there is nothing to say; why one has failed makes the kill inconclusive.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        evidence.check == nil
    }
}
