package import RigModel

/// A completed file is of one version, and holds nothing of two.
package enum StitchedChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.stitched

    /// Looks for bytes of the earlier version in a file that the worker called completed.
    ///
    /// Size, type and exit code are right in such a file; nothing but its bytes gives it away. The
    /// whole version before is no mixture: of that ``StaleChecker`` tells.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let resumption = evidence.resumption, resumption.endedWell, !resumption.isStale,
            let stale = resumption.stale, let first = stale.ranges.first
        else { return [] }
        return [
            "\(Wording.bytes(stale.count)) of the completed file are of the version before, the"
                + " first at \(first.lowerBound), and the worker ended with"
                + " \(resumption.death.words)"
        ]
    }

    /// A completed file is always compared with both versions, where the origin has two.
    ///
    /// That there is no completed file is a finding of ``CompletionChecker``.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }
}
