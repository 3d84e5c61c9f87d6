package import RigModel

/// No process of a worker goes on when the worker is killed.
///
/// One that has left the worker's process group would go on with its work as if nothing had happened:
/// a kill that does not reach it shows nothing.
package enum LeftoverChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.leftover

    /// Names what was still there, and was killed then.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let first = evidence.outlived.first else { return [] }
        let count = evidence.outlived.count
        return [
            "\(first)\(count == 1 ? "" : " and \(count - 1) more") went on when the worker was killed:"
                + " run it in the foreground"
        ]
    }

    /// Processes are always looked for.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }
}
