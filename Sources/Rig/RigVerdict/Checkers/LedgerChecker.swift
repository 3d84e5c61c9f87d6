import RigModel

/// What a worker reports as received, the origin must have served (spec 2).
enum LedgerChecker: EvidenceChecker {
    static let checker = Checker.ledger
    static let judgesPromise = false
    static let counts: Set<KillCircumstance> = [.tooLate, .unreadState]

    /// Checks that received positions were served, that the phase is possible, and that a promised
    /// page exists and is plausible.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        inexcusable(evidence, figures)
            + [invented(evidence, figures), PhaseClaim.contradiction(evidence)].compactMap(\.self)
    }

    /// What the worker did wrong with its page.
    static func inexcusable(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        figures.witnessFault.flatMap { $0.isOfTheWorker ? [$0.sentence] : nil } ?? []
    }

    /// Needs what was received in the killed life.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        figures.receivedNow == nil
    }

    /// The origin counts a byte before it hands it over, so no kill can fall between the two.
    private static func invented(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> String? {
        guard let received = figures.receivedNow else { return nil }
        let served = ByteRanges(
            evidence.requests.compactMap { request in
                guard request.servedBytes > 0 else { return nil }
                let start = request.requested.lowerBound
                let (end, overflow) = start.addingReportingOverflow(request.servedBytes)
                return start..<(overflow ? .max : end)
            })
        let invented = received.subtracting(served)
        guard !invented.isEmpty else { return nil }
        return "says it received \(Wording.bytes(invented.count)) that the origin never served,"
            + " at \(Wording.places(invented))"
    }
}
