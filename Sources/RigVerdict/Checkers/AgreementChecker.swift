package import RigModel

/// The worker's page and the kernel tell of the same bytes: two witnesses, one figure (spec 2).
package enum AgreementChecker: EvidenceChecker {
    /// The checker's name.
    package static let checker = Checker.agreement

    /// The positions received in the life that the kill ended must be the same, but for the reads in
    /// hand, by which the kernel may be ahead; and a page may not tell of more requests under way
    /// than the origin and the kernel saw, since each of them may lose a threshold (B1).
    ///
    /// Where either does not tell, nothing is found: that is for the verdict to say. What the
    /// autopsy and the relaunch tell of what was recovered, ``ResumptionChecker`` compares.
    package static func details(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> [String] {
        guard let page = figures.witness else { return [] }
        let bytes = evidence.readsInHand(page).map(disagreements) ?? []
        return bytes + [surplusRequests(page, evidence.sockets?.activeRequests)].compactMap(\.self)
    }

    private static func disagreements(_ reads: ReadsInHand) -> [String] {
        [
            reads.invented.isEmpty
                ? nil
                : "the page tells of \(Wording.bytes(reads.invented.count)) that the kernel had not"
                    + " delivered, at \(Wording.places(reads.invented))",
            reads.unexplained.isEmpty
                ? nil
                : "the page does not tell of \(Wording.bytes(reads.unexplained.count)) that the"
                    + " kernel had delivered, at \(Wording.places(reads.unexplained)): more than the"
                    + " reads in hand",
        ].compactMap(\.self)
    }

    /// Takes the worker's page and the kernel's word.
    package static func lacksEvidence(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> Bool {
        figures.witness == nil || evidence.sockets?.answers == nil
    }

    /// Requests that have received nothing are left out: their connection may be about to open.
    private static func surplusRequests(_ page: WitnessReading, _ seen: Int?) -> String? {
        let told = page.requests.count { $0.isActive && $0.received > 0 }
        guard let seen, told > seen else { return nil }
        return
            "the page tells of \(told) requests under way that have received bytes, and the origin"
            + " and the kernel saw \(seen)"
    }
}
