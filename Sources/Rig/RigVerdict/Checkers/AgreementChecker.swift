import RigModel

/// The witness page and the kernel must report the same received bytes (spec 2).
enum AgreementChecker: EvidenceChecker {
    static let checker = Checker.agreement
    static let judgesPromise = false
    static let counts: Set<KillCircumstance> = [.tooLate, .unreadState]
    static let points: Set<ContractPoint.Name> = [.agreement]

    /// Compares the received positions and the active requests of the page and of the kernel.
    ///
    /// The positions of the killed life must be equal, except for reads in hand, by which the
    /// kernel may be ahead. The page may not report more active requests than origin and kernel
    /// saw: each of them may lose a threshold (B1). Without either source nothing is found; the
    /// verdict reports that. ``ResumptionChecker`` compares autopsy and relaunch.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard let page = figures.witness else { return [] }
        let bytes = evidence.readsInHand(page).map(disagreements) ?? []
        let surplus = surplusRequests(page, evidence)
        return bytes + [surplus].compactMap(\.self)
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

    /// Needs the witness page and the kernel's count.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        figures.witness == nil || evidence.sockets?.answers == nil
    }

    /// Ignores requests without received bytes: their connection may not be open yet.
    ///
    /// And those all of whose bytes have come: neither origin nor kernel sees how long the last ones
    /// take to be saved, on a busy machine longer than ``Tolerances/settlingSeconds``. A page gains
    /// nothing by telling of them, as the bound allows no more requests than these saw.
    ///
    /// A program that a failing call has ended has closed its connections by then.
    private static func surplusRequests(
        _ page: WitnessReading, _ evidence: IterationEvidence
    ) -> String? {
        let ends = Set(evidence.requests.map(\.requested.upperBound))
        let told = page.requests.count {
            $0.isActive && $0.received > 0 && !ends.contains($0.start + $0.received)
        }
        guard evidence.killSent || evidence.calls?.failed == nil,
            let seen = evidence.sockets?.requestsUnderWay, told > seen
        else { return nil }
        return
            "the page tells of \(told) requests under way that have received bytes, and the origin"
            + " and the kernel saw \(seen)"
    }
}
