import RigModel

extension EvidenceChecker {
    /// What a worker reports as received, the origin must have served (spec 2); its phase must be
    /// possible, and a promised page there and plausible, which always counts.
    static let ledger = EvidenceChecker(
        checker: .ledger, judgesPromise: false, counts: [.tooLate, .unreadState],
        details: { kill in
            [kill.wrongPage, kill.invented, kill.evidence.impossiblePhase].compactMap(\.self)
        }, always: { [$0.wrongPage].compactMap(\.self) },
        lacksEvidence: { $0.figures.receivedNow == nil })
}

extension JudgedKill {
    fileprivate var wrongPage: String? {
        figures.witnessFault.flatMap { $0.isOfTheWorker ? $0.sentence : nil }
    }

    /// The origin counts a byte before it hands it over, so no kill can fall between the two.
    fileprivate var invented: String? {
        guard let received = figures.receivedNow else { return nil }
        let served = ByteRanges(
            evidence.requests.map {
                $0.requested.lowerBound..<$0.requested.lowerBound + $0.servedBytes
            })
        return received.subtracting(served).told("that the origin never served")
            .map { "says it received \($0)" }
    }
}

extension IterationEvidence {
    /// Why the phase that the worker claims cannot be true: kills are counted by phase, so a false
    /// claim would make a run look thorough.
    ///
    /// Steps inside the worker cannot be checked.
    fileprivate var impossiblePhase: String? {
        guard let witness else { return nil }
        let claim = "says it was \(witness.phase.rawValue) when it was killed, although"
        switch witness.phase {
        case .starting, .recovering:
            return requests.isEmpty
                ? nil : "\(claim) it had sent \(requests.count.counted("request"))"
        case .receiving: return witness.received.isEmpty ? "\(claim) it had received nothing" : nil
        case .idle:
            // The player may have connected again at that moment.
            let isAtWork =
                workload == .download
                && witness.requests.contains { $0.isActive && $0.received > 0 }
            return isAtWork ? "\(claim) a request was under way" : nil
        case .connecting, .committing, .checkpointing, .evicting, .cancelling, .completing:
            return nil
        }
    }
}
