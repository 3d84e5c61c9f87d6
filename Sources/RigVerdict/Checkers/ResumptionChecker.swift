package import RigModel

/// C8: the relaunched worker fetches what is missing, all of it and nothing else.
///
/// This also sets two independent readings of the same thing beside each other: what the rig's own
/// query found in the state, and what the worker behaved as if it had.
package enum ResumptionChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.resumption

    /// Fetched positions must be exactly the positions that were not recovered.
    ///
    /// Under a capacity recovered bytes may be evicted to make room for missing ones, before they
    /// are played, and are rightly fetched again. Of another version nothing is recovered; that all
    /// of it is fetched shows in what is delivered.
    ///
    /// Where the state cannot be read, what was recovered is itself taken from what was fetched, and
    /// there is nothing to compare.
    ///
    /// A worker that did not finish has not asked for everything; that is the completion
    /// checker's finding, and is not repeated here.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard evidence.contract.hasInspection, !evidence.originChanged,
            let resumption = evidence.resumption,
            let refetched = figures.refetched,
            let recovered = figures.recovered
        else { return [] }
        let missing = figures.video.subtracting(recovered)
        let needless = refetched.subtracting(missing)
        let skipped = missing.subtracting(refetched)
        var details: [String] = []
        if !needless.isEmpty, evidence.capacity == nil {
            details.append(
                "\(Wording.bytes(needless.count)) fetched again although recovered,"
                    + " at \(Wording.places(needless))")
        }
        if !skipped.isEmpty, resumption.endedWell {
            details.append(
                "\(Wording.bytes(skipped.count)) neither recovered nor asked for,"
                    + " at \(Wording.places(skipped))")
        }
        return details
    }

    /// Takes the state and what was fetched again.
    ///
    /// Where the origin has another version, there is nothing to look for.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        guard !evidence.originChanged else { return false }
        return evidence.autopsy == nil || figures.refetched == nil || figures.recovered == nil
    }
}
