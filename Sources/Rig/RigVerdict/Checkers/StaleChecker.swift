import RigModel

extension EvidenceChecker {
    /// The whole previous version is sound: only a promise to revalidate forbids it; else it is
    /// counted (`staleNote`).
    static let stale = EvidenceChecker(
        checker: .stale, counts: [.any], applies: { $0.workload != .offlineLibrary },
        details: { kill in
            let evidence = kill.evidence
            guard evidence.contract.revalidates == true, let resumption = evidence.resumption,
                resumption.isStale
            else { return [] }
            return [
                "the completed file is the version before, whole, and the worker ended with"
                    + " \(resumption.death.words) although it promises to ask the origin again"
            ]
        })
}

extension IterationEvidence {
    /// The note of a row without a finding on a complete previous version; nil without one.
    var staleNote: String? {
        guard resumption?.isStale == true else { return nil }
        return "\(RowReason.stale)the completed file is the version before, whole"
    }
}
