package import RigModel

/// The figures of one kill, counted over byte positions, never as differences of totals; one whose
/// source is missing is nil: an unknown is never zero.
///
/// Under a capacity (C6), bytes that were acknowledged, announced for eviction, and are gone are
/// ``evicted``: neither received nor acknowledged. Without an announcement they are lost.
package struct Measurements: Sendable, Hashable {
    package let video: ByteRanges
    /// Why the witness page cannot be used; nil when it can, and when the worker has none.
    package let witnessFault: WitnessFault?
    /// The witness page; nil when there is no usable one.
    package let witness: WitnessReading?
    /// Read from the socket in the killed life, or there before: by the kernel, or else by the
    /// page.
    package let received: ByteRanges?
    /// Positions read from the socket in the killed life only.
    package let receivedNow: ByteRanges?
    /// As the page reports, but at most as many as origin and kernel saw; nil when unknown.
    package let activeRequests: Int?
    /// Positions that the worker acknowledged as saved.
    package let acknowledged: ByteRanges?
    /// Positions that were acknowledged and later announced for eviction; empty without a capacity.
    package let evicted: ByteRanges
    /// Those of ``evicted`` certainly received before the announcement: by one request only.
    package let evictedOnce: ByteRanges
    /// Positions announced for eviction that are still there and were not fetched again.
    package let announcedAndThere: ByteRanges
    /// Positions of the video found after the kill, equal to the origin's: by the autopsy or, if
    /// the state is not read, those that the launches after it did not fetch and got right.
    package let recovered: ByteRanges?
    /// Positions received but not recovered.
    package let lost: ByteRanges?
    /// Positions certainly among those lost, where ``lost`` is unknown because the relaunch was
    /// killed as well, or because it is not known what the killed life began with: received in
    /// that life, and fetched again by the next one.
    package let certainlyLost: ByteRanges?
    /// What the kill may cost by the contract, the sum of ``bounds``; nil without a promise.
    package let bound: Int64?
    /// The same for each video with a policy of its own (S5).
    package let bounds: [Bound]
    /// True when the most that the kill can have cost is within the bound, without ``lost``.
    package let isSurelyWithinBound: Bool
    /// Positions that may be lost, too: the kernel does not tell, and the page says no.
    package let mayBeLost: ByteRanges
    /// Bytes that differ from the origin's in the state, the completed file, or a player's
    /// deliveries, whichever is the most; torn chunks that a power cut may leave are lost, not
    /// corrupt.
    package let corruptBytes: Int64?
    /// Positions that the relaunch read from its sockets; if that is unknown, that it requested.
    package let refetched: ByteRanges?

    package init(_ evidence: IterationEvidence) {
        let video = ByteRanges([0..<evidence.videoLength])
        let fault = WitnessFault(of: evidence)
        let witness = fault == nil ? evidence.witness : nil
        let recovered = evidence.recovered(of: video)
        (self.video, witnessFault, self.witness) = (video, fault, witness)
        (refetched, self.recovered) = (evidence.refetched, recovered)
        let ledger =
            evidence.capacity == nil
            ? nil : witness.map { EvictionLedger($0, stays: recovered ?? video) }
        // Without a usable page, the kernel's count is used.
        let now =
            witness.map { page in
                let gone = ledger.map { page.received.subtracting($0.received) } ?? ByteRanges()
                return evidence.received(page).subtracting(gone).subtracting(evidence.probed(page))
            } ?? evidence.sockets?.received
        self.receivedNow = now
        let requests = evidence.activeRequests(witness)
        let known = requests.compactMap(\.self)
        self.activeRequests = known.count == requests.count ? known.reduce(0, +) : nil
        // If the earlier state is unknown, what this life added cannot be separated from it.
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
        // Positions of the baseline that a request fetched again also came twice.
        let twice = baseline.flatMap { witness?.received.intersection($0) } ?? ByteRanges()
        self.evictedOnce = evicted.subtracting(ledger?.broughtAgain ?? ByteRanges())
            .subtracting(twice)
        self.announcedAndThere = ledger?.announcedAndThere ?? ByteRanges()
        self.lost = recovered.flatMap { received?.subtracting($0) }
        self.certainlyLost = lost == nil ? evidence.certainlyLost(of: now) : nil
        let bounds = evidence.bounds(requests)
        self.bounds = bounds
        self.bound = bounds.isEmpty ? nil : bounds.reduce(0) { $0 + $1.bytes }
        let most = lost == nil ? evidence.mostLost : nil
        self.isSurelyWithinBound =
            !bounds.isEmpty
            && most.map { most in bounds.allSatisfy { $0.share.part(of: most).count <= $0.bytes } }
                ?? false
        self.mayBeLost =
            evidence.sockets?.mayBeTaken.subtracting(received ?? ByteRanges())
            .subtracting(recovered ?? ByteRanges()) ?? ByteRanges()
        let mayBeTorn = !evidence.plan.policy.survives(evidence.fault)
        self.corruptBytes = [
            mayBeTorn ? evidence.autopsy?.undetectedBytes : evidence.autopsy?.corruptBytes,
            // A complete old version is correct in every byte, and reported separately.
            evidence.resumption.flatMap { $0.isStale ? 0 : $0.differingBytes },
            // A later launch has completed it, rightly.
            evidence.resumption?.takenLater == nil || recovered == nil && evidence.mostLost == nil
                ? nil : 0,
            evidence.played?.wrongBytes, evidence.playedOffline?.wrongBytes,
        ].compactMap { $0 }.max()
    }

    /// Why a chain does not tell what one kill has cost.
    static let anyKill = "what was fetched again can have been lost by this kill or by another one"

    /// 100 × lost ÷ received; nil when either is unknown or nothing was received.
    package var lossPercent: Double? {
        guard let lost, let received, !received.isEmpty else { return nil }
        return 100 * Double(lost.count) / Double(received.count)
    }

    /// What a kill may cost of one video.
    package struct Bound: Sendable, Hashable {
        package let share: PolicyShare
        package let bytes: Int64
    }

    /// True when no video has lost more than its own bound; nil when either is unknown.
    package var isWithinBounds: Bool? {
        guard let lost, !bounds.isEmpty else { return nil }
        return bounds.allSatisfy { $0.share.part(of: lost).count <= $0.bytes }
    }
}

extension IterationEvidence {
    /// What was there after the kill; without an autopsy, the launches after it show that
    /// (``IterationEvidence/keptUnfetched``), unless a capacity makes them fetch again what it gave
    /// up.
    fileprivate func recovered(of video: ByteRanges) -> ByteRanges? {
        if let autopsy { return autopsy.recovered.intersection(video) }
        return contract.hasInspection && capacity != nil ? nil : keptUnfetched
    }

    fileprivate func certainlyLost(of receivedNow: ByteRanges?) -> ByteRanges? {
        guard let resumption, let taken = resumption.taken,
            resumption.wasKilled || !beganWithKnown, capacity == nil, requestsShowWhatWasKept
        else { return nil }
        return receivedNow?.intersection(taken)
    }

    /// The kernel's count without reads that a request dropped when it ended, which no kill has
    /// cost.
    fileprivate func received(_ page: WitnessReading) -> ByteRanges {
        guard let sockets, let taken = sockets.taken else { return page.received }
        let told = page.received.intersection(sockets.mayBeTaken)
        let dropped = ReadsInHand(page, of: self)?.dropped ?? ByteRanges()
        return taken.union(told).subtracting(dropped)
    }

    /// What only probes have brought to a worker that ended when asked: they are never saved (C3).
    fileprivate func probed(_ page: WitnessReading) -> ByteRanges {
        guard endedWhenAsked else { return ByteRanges() }
        func isProbe(_ request: WitnessedRequest) -> Bool {
            !request.isActive && request.acknowledged == 0
                && request.received <= Tolerances.probeBytes
        }
        func ranges(_ requests: [WitnessedRequest]) -> ByteRanges {
            requests.reduce(ByteRanges()) { $0.union($1.receivedRange) }
        }
        return ranges(page.requests.filter(isProbe))
            .subtracting(ranges(page.requests.filter { !isProbe($0) }))
    }

    /// Of each share, as the page reports, but at most what origin and kernel saw.
    func activeRequests(_ witness: WitnessReading?) -> [Int?] {
        shares.map { share in
            let seen = share.part(of: sockets)?.activeRequests
            let told = witness?.requests.count { $0.isActive && share.contains($0.start) }
            return told.map { min($0, seen ?? .max) } ?? seen
        }
    }

    /// The bound of each share, in order; empty when nothing is promised or it is unknown.
    func bounds(_ requests: [Int?]) -> [Measurements.Bound] {
        let bounds = zip(shares, requests).compactMap { share, requests in
            let sockets = share.part(of: self.sockets)
            return contract.bound?.bytes(
                policy: share.policy, fault: fault, activeRequests: requests,
                taken: capacity == nil ? sockets?.distinctTakenUnderWay : sockets?.takenUnderWay,
                bytesPerSecond: contract.bytesPerSecond, hasEnded: endedWhenAsked
            ).map { Measurements.Bound(share: share, bytes: $0) }
        }
        return bounds.count == shares.count ? bounds : []
    }
}
