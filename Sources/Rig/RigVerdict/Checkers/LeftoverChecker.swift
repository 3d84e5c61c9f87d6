import RigModel

/// No process of a worker may survive the kill of the worker.
///
/// A process that left the worker's process group would continue its work: a kill that misses it
/// proves nothing.
enum LeftoverChecker: EvidenceChecker {
    static let checker = Checker.leftover
    static let counts: Set<KillCircumstance> = [.any]
    static let points: Set<ContractPoint.Name> = [.cleansUp]

    static func knows(_ workload: Workload) -> Bool { true }

    /// Names the surviving processes, which were killed afterwards.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let first = evidence.outlived.first else { return [] }
        let count = evidence.outlived.count
        return [
            "\(first)\(count == 1 ? "" : " and \(count - 1) more") went on when the worker was killed:"
                + " run it in the foreground"
        ]
    }
}
