import RigModel

extension EvidenceChecker {
    /// What the user's check refuses is wrong whatever became of the kill: it had been promised.
    static let check = EvidenceChecker(
        checker: .check, counts: [.any], knows: { $0 == .check },
        details: { $0.evidence.violations }, lacksEvidence: { $0.evidence.check == nil })
}

extension IterationEvidence {
    fileprivate var violations: [String] {
        guard let check else { return [] }
        var details: [String] = []
        let failed = failedCall.map { "\($0.words): " } ?? ""
        if case .violated(let why)? = check.before {
            details.append("\(failed)before the relaunch: \(why)")
        }
        if case .violated(let why) = check.after { details.append(failed + why) }
        return details
    }
}
