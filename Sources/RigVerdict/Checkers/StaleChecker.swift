package import RigModel

/// A worker that promises to revalidate does not pass off the version before as the video.
///
/// A whole old version is sound, and right for a worker that asks the origin for nothing once it has
/// all. So of a worker without that promise it is counted (``note(_:)``) and no finding.
package enum StaleChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.stale

    /// Looks for the whole version before.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard evidence.contract.revalidates == true, let resumption = evidence.resumption,
            resumption.isStale
        else { return [] }
        return [
            "the completed file is the version before, whole, and the worker ended with"
                + " \(resumption.death.words) although it promises to ask the origin again"
        ]
    }

    /// A completed file is always compared with both versions, where the origin has two.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        false
    }

    /// What a row without a finding says of a whole version before; nil where there is none.
    static func note(_ evidence: IterationEvidence) -> String? {
        guard evidence.resumption?.isStale == true else { return nil }
        return "\(RowReason.stale)the completed file is the version before, whole"
    }
}
