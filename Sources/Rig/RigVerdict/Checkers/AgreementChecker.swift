import RigModel

extension EvidenceChecker {
    /// The witness page and the kernel must report the same received bytes (spec 2).
    ///
    /// Equal positions, but for reads in hand; and no more active requests than origin and kernel
    /// saw, each of which may lose a threshold (B1). ``resumption`` compares autopsy and relaunch.
    static let agreement = EvidenceChecker(
        checker: .agreement, judgesPromise: false, counts: [.tooLate, .unreadState],
        points: [.agreement], details: { $0.disagreements },
        lacksEvidence: { $0.figures.witness == nil || $0.evidence.sockets?.answers == nil })
}

extension JudgedKill {
    fileprivate var disagreements: [String] {
        guard let page = figures.witness else { return [] }
        let reads = ReadsInHand(page, of: evidence)
        return [
            reads?.invented.told("that the kernel had not delivered").map {
                "the page tells of \($0)"
            },
            reads?.unexplained.told("that the kernel had delivered").map {
                "the page does not tell of \($0): more than the reads in hand"
            },
            surplusRequests(page),
        ].compactMap(\.self)
    }

    /// Not counted are requests without bytes, whose connection may not be open yet, and those all
    /// of whose bytes have come: on a busy machine these take longer to be saved than
    /// ``Tolerances/settlingSeconds``, and a page gains nothing by them.
    ///
    /// After a failing call or a full disk nothing kills a program: its connections are closed when it
    /// has ended, and a page that it left as it was still tells of them.
    private func surplusRequests(_ page: WitnessReading) -> String? {
        let ends = Set(evidence.requests.map(\.requested.upperBound))
        let told = page.requests.count {
            $0.isActive && $0.received > 0 && !ends.contains($0.start + $0.received)
        }
        guard evidence.failure == nil, let seen = evidence.sockets?.requestsUnderWay, told > seen
        else { return nil }
        return "the page tells of \(told) requests under way that have received bytes, and the"
            + " origin and the kernel saw \(seen)"
    }
}
