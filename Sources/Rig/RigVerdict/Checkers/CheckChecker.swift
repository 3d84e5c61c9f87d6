import RigModel

extension EvidenceChecker {
    /// What the user's check refuses is wrong whatever became of the kill: it had been promised.
    static let check = EvidenceChecker(
        checker: .check, counts: [.any], knows: { $0 == .check },
        details: { kill in
            let failed = kill.evidence.failure.map { "\($0): " } ?? ""
            let check = kill.evidence.check
            return [("before the relaunch: ", check?.before), ("", check?.after)].compactMap {
                moment, outcome in
                if case .violated(let why)? = outcome { failed + moment + why } else { nil }
            }
        }, lacksEvidence: { $0.evidence.check == nil })
}
