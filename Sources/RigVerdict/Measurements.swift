package import RigModel

/// The figures of one kill, counted over byte positions, never as differences of totals.
///
/// A figure whose source is missing is nil: an unknown is never zero.
///
/// Under a capacity (C6) what was acknowledged, then said to go and is not there any more is
/// ``evicted``, and counts as neither received nor acknowledged: it is as though it had never come.
/// Whether it might go is for ``EvictionChecker`` to say. What went without a word is lost.
package struct Measurements: Sendable, Hashable {
    /// Every position of the video.
    package let video: ByteRanges
    /// Why the witness page cannot be used; nil when it can, and where the worker keeps none.
    package let witnessFault: WitnessFault?
    /// The witness page; nil where there is none that can be used.
    package let witness: WitnessReading?
    /// Positions taken off the socket, or there from before the life that the kill ended: by the
    /// kernel's word, and by the worker's page where the kernel does not tell.
    package let received: ByteRanges?
    /// Positions taken off the socket in that life alone.
    package let receivedNow: ByteRanges?
    /// Requests that were under way: as many as the page says, and no more than the origin and the
    /// kernel saw; nil when not known.
    package let activeRequests: Int?
    /// Positions that the worker said are safe.
    package let acknowledged: ByteRanges?
    /// Positions that were acknowledged, and of which the worker said since that they were to make
    /// room for others; none without a capacity.
    package let evicted: ByteRanges
    /// Those of them that came before they went for certain: one request alone has brought them.
    package let evictedOnce: ByteRanges
    /// Positions of which it said so and that are there, though it has not fetched them again.
    package let announcedAndThere: ByteRanges
    /// Positions of the video found after the kill, equal to the origin's: by the autopsy, and for a
    /// worker whose state cannot be read, those that the relaunched one did not fetch and got right.
    package let recovered: ByteRanges?
    /// Positions received and not recovered.
    package let lost: ByteRanges?
    /// The bytes that the kill may cost, as the worker's contract has it: for the reference worker
    /// the threshold per active request (B1); nil where nothing is promised or it cannot be known.
    package let bound: Int64?
    /// Positions beside ``lost`` that may have been lost as well: whether they were received, the
    /// kernel does not tell, and the page says that they were not.
    package let mayBeLost: ByteRanges
    /// Bytes unlike the origin's: in the state, in the completed file, or handed to a player,
    /// whichever has most.
    ///
    /// Where a power cut may leave torn chunks, those in the state that their checksum gives away
    /// are lost, not corrupt.
    package let corruptBytes: Int64?
    /// Positions that the relaunched worker fetched: those that it took off its sockets; where that
    /// is not known, those that it requested.
    package let refetched: ByteRanges?

    /// Measures an iteration.
    package init(_ evidence: IterationEvidence) {
        let video = ByteRanges([0..<evidence.videoLength])
        let fault = WitnessFault(of: evidence)
        let witness = fault == nil ? evidence.witness : nil
        let refetched =
            evidence.contract.asksOrigin
            ? evidence.resumption.map { $0.taken ?? $0.refetched } : nil
        let recovered = Self.recovered(evidence, video, refetched)
        self.video = video
        self.witnessFault = fault
        self.witness = witness
        self.refetched = refetched
        self.recovered = recovered
        let ledger =
            evidence.capacity == nil
            ? nil : witness.map { EvictionLedger($0, stays: recovered ?? video) }
        // Where there is no page, or none that can be used, the kernel's word has to do.
        let now =
            witness.map { page in
                let gone = ledger.map { page.received.subtracting($0.received) } ?? ByteRanges()
                return Self.received(evidence, page).subtracting(gone)
            } ?? evidence.sockets?.received
        self.receivedNow = now
        let seen = evidence.sockets?.activeRequests
        self.activeRequests = witness.map { min($0.activeRequests, seen ?? .max) } ?? seen
        // Without knowing what there was before, what this life added cannot be told from it.
        let baseline = evidence.beganWithKnown ? evidence.baseline ?? ByteRanges() : nil
        let before = baseline.map { ledger?.left(ofBaseline: $0) ?? $0 }
        let received = before.flatMap { now?.union($0) }
        self.received = received
        let safe = before.flatMap { before in
            (ledger?.acknowledged ?? witness?.acknowledged).map { $0.union(before) }
        }
        self.acknowledged = safe
        self.evicted =
            ledger == nil
            ? ByteRanges()
            : witness?.acknowledged.union(baseline ?? ByteRanges()).subtracting(safe ?? video)
                ?? ByteRanges()
        // What the life before had left, and a request has brought, came twice, too.
        let twice = baseline.flatMap { witness?.received.intersection($0) } ?? ByteRanges()
        self.evictedOnce = evicted.subtracting(ledger?.broughtAgain ?? ByteRanges())
            .subtracting(twice)
        self.announcedAndThere = ledger?.announcedAndThere ?? ByteRanges()
        self.lost = recovered.flatMap { received?.subtracting($0) }
        self.bound = evidence.contract.bound?.bytes(
            policy: evidence.plan.policy, fault: evidence.fault, activeRequests: activeRequests,
            taken: evidence.sockets?.takenUnderWay,
            bytesPerSecond: evidence.contract.bytesPerSecond)
        self.mayBeLost =
            evidence.sockets?.mayBeTaken.subtracting(received ?? ByteRanges())
            .subtracting(recovered ?? ByteRanges()) ?? ByteRanges()
        let mayBeTorn = !evidence.plan.policy.survives(evidence.fault)
        self.corruptBytes = [
            mayBeTorn ? evidence.autopsy?.undetectedBytes : evidence.autopsy?.corruptBytes,
            // A whole old version is right in every byte, and is told of by itself.
            evidence.resumption.flatMap { $0.isStale ? 0 : $0.differingBytes },
            evidence.played?.wrongBytes, evidence.playedOffline?.wrongBytes,
        ].compactMap { $0 }.max()
    }

    /// What was there after the kill; nil when that is not known.
    ///
    /// Without a look at the state it follows from what came of the relaunch: all of a right file
    /// that was not fetched anew had been kept. That takes a relaunch that was left to finish, and
    /// an origin that answered as before.
    private static func recovered(
        _ evidence: IterationEvidence, _ video: ByteRanges, _ refetched: ByteRanges?
    ) -> ByteRanges? {
        if let autopsy = evidence.autopsy { return autopsy.recovered.intersection(video) }
        guard !evidence.contract.hasInspection, !evidence.originChanged,
            let resumption = evidence.resumption, resumption.endedWell, let refetched,
            let differing = resumption.differingBytes,
            let wrong = resumption.wrong ?? (differing == 0 ? ByteRanges() : nil)
        else { return nil }
        return video.subtracting(refetched).subtracting(wrong)
    }

    /// Why it is not known what was kept; nil where it is.
    static func whyNotRecovered(_ evidence: IterationEvidence) -> String? {
        if evidence.contract.hasInspection { return evidence.autopsyError }
        guard let resumption = evidence.resumption else { return "the worker was not relaunched" }
        if resumption.wasKilled { return "the relaunched worker was killed in its turn" }
        if evidence.originChanged { return "the origin answered otherwise after the kill" }
        return resumption.endedWell ? nil : "the relaunched worker did not end well"
    }

    /// Why it is not known what was received; nil where it is.
    static func whyNotReceived(_ evidence: IterationEvidence) -> String? {
        guard evidence.beganWithKnown else {
            return "what the life before had left cannot be read"
        }
        guard let sockets = evidence.sockets else { return "nobody looked at its sockets" }
        return sockets.unknownReason
    }

    /// What a worker with a page had taken off its sockets: what the kernel says, but for reads that
    /// a request had dropped when it ended, which no kill has cost.
    private static func received(
        _ evidence: IterationEvidence, _ page: WitnessReading
    ) -> ByteRanges {
        guard let sockets = evidence.sockets, let taken = sockets.taken else {
            return page.received
        }
        let told = page.received.intersection(sockets.mayBeTaken)
        let dropped = evidence.readsInHand(page)?.dropped ?? ByteRanges()
        return taken.union(told).subtracting(dropped)
    }

    /// 100 × lost ÷ received; nil when either is not known or nothing was received.
    package var lossPercent: Double? {
        guard let lost, let received, !received.isEmpty else { return nil }
        return 100 * Double(lost.count) / Double(received.count)
    }
}
