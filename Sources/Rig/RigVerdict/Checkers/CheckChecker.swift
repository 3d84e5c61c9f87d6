import RigModel

extension EvidenceChecker {
    /// What the user's check refuses is wrong whatever became of the kill: it had been promised.
    static let check = EvidenceChecker(
        checker: .check, counts: [.any], knows: { $0 == .check },
        details: { kill in
            guard let check = kill.evidence.check else { return [] }
            var details: [String] = []
            let failed = kill.evidence.failure.map { "\($0): " } ?? ""
            if case .violated(let why)? = check.before {
                details.append("\(failed)before the relaunch: \(why)")
            }
            if case .violated(let why) = check.after { details.append(failed + why) }
            return details
        }, lacksEvidence: { $0.evidence.check == nil })
}
