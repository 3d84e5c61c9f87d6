package import RigModel

/// A completed file is the version that the origin has, and holds nothing of an earlier one.
package enum StitchedChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.stitched

    /// Looks for bytes of the earlier version in a file that the worker called completed.
    ///
    /// Size, type and exit code are right in such a file; nothing but its bytes gives it away.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let resumption = evidence.resumption, resumption.endedWell,
            let stale = resumption.stale, let first = stale.ranges.first
        else { return [] }
        let manner = isMixture(resumption) ? "" : "stale, and nothing of the new version fetched: "
        return [
            manner + "\(Wording.bytes(stale.count)) of the completed file are of the version"
                + " before, the first at \(first.lowerBound), and the worker ended with"
                + " \(resumption.death.words)"
        ]
    }

    /// What is wrong whatever became of the kill: a mixture.
    ///
    /// A worker that had all of the version before when it was killed had done its work, and may
    /// rightly say so afterwards.
    static func inexcusable(_ evidence: IterationEvidence, _ figures: Measurements) -> [Finding] {
        guard let resumption = evidence.resumption, isMixture(resumption) else { return [] }
        return findings(evidence, figures)
    }

    private static func isMixture(_ resumption: Resumption) -> Bool {
        resumption.requests.contains { $0.servedBytes > 0 }
    }
}
