package import RigModel

/// The figures of one kill, counted over byte positions, never as differences of totals.
///
/// A figure whose source is missing is nil: an unknown is never zero.
///
/// Under a capacity (C6) what was acknowledged and is not there any more is ``evicted``, and counts
/// as neither received nor acknowledged: it is as though it had never come. Whether it may be gone
/// is for ``EvictionChecker`` to say.
package struct Measurements: Sendable, Hashable {
    /// Every position of the video.
    package let video: ByteRanges
    /// Why the witness page cannot be used; nil when it can.
    package let witnessFault: String?
    /// Positions taken off the socket, or there from before the life that the kill ended.
    package let received: ByteRanges?
    /// Positions taken off the socket in that life alone.
    package let receivedNow: ByteRanges?
    /// Positions that the worker said are safe.
    package let acknowledged: ByteRanges?
    /// Positions that were acknowledged and made room for others; none without a capacity.
    package let evicted: ByteRanges
    /// Positions of the video found after the kill, equal to the origin's.
    package let recovered: ByteRanges?
    /// Positions received and not recovered.
    package let lost: ByteRanges?
    /// The bytes that the kill may cost (B1): threshold × active requests; nil where nothing is
    /// promised or the number of requests is not known.
    package let bound: Int64?
    /// Bytes unlike the origin's: in the state, in the completed file, or handed to a player,
    /// whichever has most.
    ///
    /// Where a power cut may leave torn chunks, those in the state that their checksum gives away
    /// are lost, not corrupt.
    package let corruptBytes: Int64?
    /// Positions that the relaunched worker requested.
    package let refetched: ByteRanges?

    /// Measures an iteration.
    package init(_ evidence: IterationEvidence) {
        let video = ByteRanges([0..<evidence.videoLength])
        let fault = Self.fault(of: evidence.witness, videoLength: evidence.videoLength)
        let witness = fault == nil ? evidence.witness : nil
        let recovered = evidence.autopsy?.recovered.intersection(video)
        self.video = video
        self.witnessFault = fault
        let evicted = Self.evicted(evidence, witness, recovered)
        self.evicted = evicted
        let baseline = evidence.baseline ?? ByteRanges()
        self.receivedNow = witness?.received.subtracting(evicted)
        self.received = witness?.received.union(baseline).subtracting(evicted)
        self.acknowledged = witness?.acknowledged.union(baseline).subtracting(evicted)
        self.recovered = recovered
        if let received = self.received, let recovered {
            self.lost = received.subtracting(recovered)
        } else {
            self.lost = nil
        }
        if let promised = evidence.plan.policy.boundPerRequest(under: evidence.fault),
            let witness
        {
            let (bound, overflow) = promised.multipliedReportingOverflow(
                by: Int64(max(1, witness.activeRequests)))
            self.bound = overflow ? .max : bound
        } else {
            self.bound = nil
        }
        let mayBeTorn = !evidence.plan.policy.survives(evidence.fault)
        self.corruptBytes = [
            mayBeTorn ? evidence.autopsy?.undetectedBytes : evidence.autopsy?.corruptBytes,
            evidence.resumption?.differingBytes,
            evidence.played?.wrongBytes, evidence.playedOffline?.wrongBytes,
        ].compactMap { $0 }.max()
        self.refetched = evidence.resumption?.refetched
    }

    private static func evicted(
        _ evidence: IterationEvidence, _ witness: WitnessReading?, _ recovered: ByteRanges?
    ) -> ByteRanges {
        guard evidence.capacity != nil, let witness, let recovered else { return ByteRanges() }
        let before = evidence.baseline ?? ByteRanges()
        return witness.acknowledged.union(before).subtracting(recovered)
    }

    /// 100 × lost ÷ received; nil when either is not known or nothing was received.
    package var lossPercent: Double? {
        guard let lost, let received, !received.isEmpty else { return nil }
        return 100 * Double(lost.count) / Double(received.count)
    }

    /// Why a page proves nothing: it is missing, or says what cannot be.
    ///
    /// Acknowledging more than was received is not among it: that is a claim which the durability
    /// checker holds the worker to.
    private static func fault(of witness: WitnessReading?, videoLength: Int64) -> String? {
        guard let witness else {
            return "no witness page: the worker died before it wrote one, or writes none"
        }
        for request in witness.requests {
            let room = videoLength - request.start
            let figures = [request.start, request.received, request.acknowledged, room]
            let most = max(request.received, request.acknowledged)
            guard figures.allSatisfy({ $0 >= 0 }), most <= room else {
                return "the witness page says what cannot be: a request from "
                    + "\(request.start) on with \(request.received) bytes received and "
                    + "\(request.acknowledged) acknowledged, of a video of \(videoLength)"
            }
        }
        return nil
    }
}
