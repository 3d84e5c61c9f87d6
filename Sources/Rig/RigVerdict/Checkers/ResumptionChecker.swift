import RigModel

/// C8: the relaunched worker must fetch exactly what is missing.
///
/// This also compares two independent sources: the rig's own query of the state, and the behaviour
/// of the worker.
enum ResumptionChecker: EvidenceChecker {
    static let checker = Checker.resumption
    static let needs: Set<EvidenceSource> = [.state, .requests]
    static let counts: Set<KillCircumstance> = [.tooLate]
    static let points: Set<ContractPoint.Name> = [.resumes, .agreement]

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.savesByRange
    }

    /// Fetched positions must be exactly the positions that were not recovered.
    ///
    /// Under a capacity, recovered bytes may be evicted for missing ones before they are played,
    /// and are rightly fetched again. Of a new version nothing counts as recovered; the deliveries
    /// show whether all of it is fetched.
    ///
    /// If the state cannot be read, the recovered bytes are themselves derived from the fetched
    /// ones, so there is nothing to compare.
    ///
    /// A worker that did not finish has not requested everything; only the completion checker
    /// reports that.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        guard evidence.autopsy != nil, !evidence.isOtherVersion,
            let resumption = evidence.resumption,
            let refetched = figures.refetched,
            let recovered = figures.recovered
        else { return [] }
        let missing = figures.video.subtracting(recovered)
        let needless = refetched.subtracting(missing)
        let skipped = missing.subtracting(refetched)
        var details: [String] = []
        // Of two instances each may ask for what is missing, and for what the other has stored. An
        // origin that answers otherwise may send more than was asked for.
        if !needless.isEmpty, evidence.capacity == nil,
            evidence.requestsShowWhatWasKept || evidence.hidesVersion,
            !isToCompare(needless, recovered, evidence, resumption)
        {
            details.append(
                "\(Wording.bytes(needless.count)) fetched again although recovered,"
                    + " at \(Wording.places(needless))")
        }
        if !skipped.isEmpty, resumption.endedWell {
            details.append(
                "\(Wording.bytes(skipped.count)) neither recovered nor asked for,"
                    + " at \(Wording.places(skipped))")
        }
        return details
    }

    /// True if bytes may have been fetched again to see which version an answer is of, or because
    /// that cannot be seen.
    ///
    /// Where no validator names the version, a worker compares some of the bytes that it has, or
    /// fetches everything again. What is between the two is a mistake. A worker that was not made for
    /// the rig may always look at the first bytes of the video, to see what it is.
    private static func isToCompare(
        _ needless: ByteRanges, _ recovered: ByteRanges, _ evidence: IterationEvidence,
        _ resumption: Resumption
    ) -> Bool {
        guard !evidence.originChanged, evidence.relaunch != .twice else { return false }
        let each = Tolerances.comparedBytesPerRequest
        guard evidence.hidesVersion else {
            return !evidence.contract.isReference
                && needless.subtracting(ByteRanges([0..<each])).isEmpty
        }
        return needless.count <= each * Int64(resumption.requests.count) || needless == recovered
    }

    /// Needs the state and the bytes fetched again.
    ///
    /// If the origin has another version, there is nothing to check.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        guard !evidence.isOtherVersion else { return false }
        return evidence.autopsy == nil || figures.refetched == nil || figures.recovered == nil
    }
}
