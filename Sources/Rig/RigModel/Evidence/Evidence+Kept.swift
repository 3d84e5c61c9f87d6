/// What was there after a kill, as the launches after it show.
extension IterationEvidence {
    /// What the relaunched worker read, or else requested; nil if it does not ask the origin.
    package var refetched: ByteRanges? {
        contract.asksOrigin ? resumption.map { $0.taken ?? $0.refetched } : nil
    }

    /// The right bytes of the completed video that no launch after the kill has fetched (B6); nil
    /// when unknown, as of a list, which is replaced, and of a killed relaunch without those after
    /// it.
    package var completedUnfetched: ByteRanges? {
        guard workload != .offlineLibrary, let resumption, let refetched else { return nil }
        let video = ByteRanges([0..<videoLength])
        if resumption.wasKilled {
            guard resumption.taken != nil else { return nil }
            return resumption.takenLater.map { video.subtracting(refetched).subtracting($0) }
        }
        guard resumption.endedWell, let differing = resumption.differingBytes,
            let wrong = resumption.wrong ?? (differing == 0 ? ByteRanges() : nil)
        else { return nil }
        return video.subtracting(refetched).subtracting(wrong)
    }

    /// What was there after the kill, as it was not fetched again; nil when unknown.
    package var keptUnfetched: ByteRanges? {
        guard requestsShowWhatWasKept else { return nil }
        guard resumption?.takenLater != nil else { return completedUnfetched }
        return lostByAnyKill?.isEmpty == true ? completedUnfetched : nil
    }

    /// What any kill of the chain can have cost, as a later launch fetched it; nil if unknown.
    package var lostByAnyKill: ByteRanges? {
        guard let taken = resumption?.taken, resumption?.takenLater != nil else { return nil }
        return mostLost?.subtracting(taken)
    }

    /// All positions that the kill can have cost: possibly received, and fetched again after it;
    /// nil when unknown, as with a capacity, for which bytes are given up.
    package var mostLost: ByteRanges? {
        guard requestsShowWhatWasKept, capacity == nil, let resumption,
            let taken = resumption.taken,
            resumption.wasKilled ? resumption.takenLater != nil : resumption.differingBytes == 0,
            let own = sockets?.mostTaken,
            let before = isOfFirstLife ? ByteRanges() : takenBefore
        else { return nil }
        return own.union(before).intersection(taken.union(resumption.takenLater ?? ByteRanges()))
    }
}
