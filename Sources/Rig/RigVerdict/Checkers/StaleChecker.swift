import RigModel

/// A worker that promises to revalidate must not complete with the previous version.
///
/// A complete old version is sound, and right for a worker that does not ask the origin again once
/// it has everything. So without that promise it is counted (``note(_:)``) and not a finding.
enum StaleChecker: EvidenceChecker {
    static let checker = Checker.stale
    static let counts: Set<KillCircumstance> = [.any]

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.workload != .offlineLibrary
    }

    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard evidence.contract.revalidates == true, let resumption = evidence.resumption,
            resumption.isStale
        else { return [] }
        return [
            "the completed file is the version before, whole, and the worker ended with"
                + " \(resumption.death.words) although it promises to ask the origin again"
        ]
    }

    /// The note of a row without a finding on a complete previous version; nil without one.
    static func note(_ evidence: IterationEvidence) -> String? {
        guard evidence.resumption?.isStale == true else { return nil }
        return "\(RowReason.stale)the completed file is the version before, whole"
    }
}
