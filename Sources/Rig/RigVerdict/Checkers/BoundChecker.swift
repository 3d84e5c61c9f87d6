import RigModel

extension EvidenceChecker {
    /// B1, S2: a kill loses at most the threshold per active request, and nothing of an ended one.
    ///
    /// Strict: the last network read counts, too.
    static let bound = EvidenceChecker(
        checker: .bound, counts: [.unreadState], points: [.bound],
        applies: { !$0.promisesNothing || $0.asked != nil }, details: { $0.lossesBeyondBounds },
        lacksEvidence: { $0.mayExceedABound })
}

extension JudgedKill {
    fileprivate var lossesBeyondBounds: [String] {
        let beyond = figures.bounds.compactMap(beyondBound)
        return (beyond.isEmpty ? [beyondAllBounds].compactMap(\.self) : beyond)
            + [remainders, unsaved].compactMap(\.self)
    }

    /// True without the lost bytes or the bound, unless no bound is promised (B2, T11).
    fileprivate var mayExceedABound: Bool {
        guard evidence.isBoundPromised else { return false }
        guard let lost = figures.lost, let isWithin = figures.isWithinBounds else {
            return !figures.isSurelyWithinBound
        }
        // Undecided when the bytes that may be lost would exceed the bound.
        return isWithin
            && figures.bounds.contains {
                $0.share.part(of: lost.union(figures.mayBeLost)).count > $0.bytes
            }
    }

    /// What one lost under `disabled` that ended when asked: all is saved when a request ends (S2,
    /// T12).
    private var unsaved: String? {
        guard evidence.endedWhenAsked, evidence.contract.isByThreshold,
            evidence.plan.policy.threshold == nil
        else { return nil }
        return figures.lost?.told("are gone of a worker that ended when it was asked to")
    }

    /// What a video has lost beyond its own bound: the other's does not excuse it (S5).
    private func beyondBound(_ bound: Measurements.Bound) -> String? {
        guard let lost = (figures.lost ?? figures.certainlyLost).map(bound.share.part(of:)),
            lost.count > bound.bytes
        else { return nil }
        let least = figures.lost == nil ? "at least " : ""
        let whose =
            bound.share.positions == nil ? "" : " of the video saved by \(bound.share.policy.name)"
        return "lost \(least)\(lost.count.counted("byte"))\(whose), \(lost.count - bound.bytes)"
            + " more than the bound of \(bound.bytes), at \(Wording.places(lost))"
    }

    /// What this kill of a chain without inspection and the later ones have cost together, if that
    /// is more than all may cost; only of what this life has certainly received, as another byte
    /// may have been lost before.
    private var beyondAllBounds: String? {
        // A bound by the threshold depends on the requests of each life.
        guard figures.lost == nil, let promise = evidence.contract.bound, promise != .threshold,
            let bound = figures.bound, let any = evidence.lostByAnyKill,
            let own = evidence.sockets?.taken
        else { return nil }
        let lost = any.intersection(own).union(figures.certainlyLost ?? ByteRanges())
        let kills = Int64(evidence.plan.kills.count - evidence.kill + 1)
        // More than bound × kills, which may be too large a number.
        guard !lost.isEmpty, (lost.count - 1) / kills >= bound else { return nil }
        return "this kill and the later ones lost \(lost.count.counted("byte")), more than the"
            + " bound of \(bound) for each of \(kills), at \(Wording.places(lost))"
    }

    /// Bytes of ended requests that were received, never acknowledged, and lost: the bound alone
    /// would forgive a worker that drops the remainder of each request that a player cancels (S3).
    private var remainders: String? {
        // A request of the library ends before its list or image is put in place.
        guard evidence.workload != .offlineLibrary, evidence.contract.isByThreshold,
            evidence.plan.policy.survives(evidence.fault),
            let witness = figures.witness, let recovered = figures.recovered
        else { return nil }
        // The request for bytes 0-1 asks for information on the video, and saves nothing (C3).
        let unsaved = witness.requests
            .filter { !$0.isActive && $0.acknowledged < $0.received }
            .filter { $0.received > Tolerances.probeBytes }
            .map { $0.start + $0.acknowledged..<$0.start + $0.received }
        return ByteRanges(unsaved).subtracting(recovered)
            .told("of requests that had ended were never saved")
    }
}
