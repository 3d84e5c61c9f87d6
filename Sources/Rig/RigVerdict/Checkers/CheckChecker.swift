import RigModel

extension EvidenceChecker {
    /// The check that the user has given must find nothing wrong.
    ///
    /// What it refuses is wrong whatever became of the kill: what was said by then had been
    /// promised. Why a check has failed makes the kill inconclusive.
    static let check = EvidenceChecker(
        checker: .check, counts: [.any], knows: { $0 == .check },
        details: { $0.evidence.violations }, lacksEvidence: { $0.evidence.check == nil })
}

extension IterationEvidence {
    fileprivate var violations: [String] {
        guard let check else { return [] }
        var details: [String] = []
        let failed = failure.map { "\($0): " } ?? ""
        if case .violated(let why)? = check.before {
            details.append("\(failed)before the relaunch: \(why)")
        }
        if case .violated(let why) = check.after { details.append(failed + why) }
        return details
    }
}
