import RigModel

extension EvidenceChecker {
    /// C8: the relaunched worker must fetch exactly what is missing; so its behaviour and the rig's
    /// own query of the state, two independent sources, agree.
    static let resumption = EvidenceChecker(
        checker: .resumption, needs: [.state, .requests], counts: [.tooLate],
        points: [.resumes, .agreement], applies: { $0.savesByRange },
        details: { $0.wronglyFetched },
        lacksEvidence: { kill in
            // If the origin has another version, there is nothing to check.
            !kill.evidence.isOtherVersion
                && (kill.evidence.autopsy == nil || kill.figures.refetched == nil
                    || kill.figures.recovered == nil)
        })
}

extension JudgedKill {
    /// Fetched positions must be exactly the positions that were not recovered.
    ///
    /// Under a capacity, recovered bytes may be evicted for missing ones, and are rightly fetched
    /// again. Of a new version nothing is recovered. Without the state the recovered bytes follow
    /// from the fetched ones. A worker that did not finish has not requested everything.
    fileprivate var wronglyFetched: [String] {
        guard evidence.autopsy != nil, !evidence.isOtherVersion,
            let resumption = evidence.resumption,
            let refetched = figures.refetched,
            let recovered = figures.recovered
        else { return [] }
        let missing = figures.video.subtracting(recovered)
        let needless = refetched.subtracting(missing)
        let skipped = missing.subtracting(refetched)
        // Of two instances each may ask for what is missing, and for what the other has stored. An
        // origin that answers otherwise may send more than was asked for.
        let mayBeFetched =
            evidence.capacity != nil
            || !evidence.requestsShowWhatWasKept && !evidence.hidesVersion
            || isToCompare(needless, recovered, resumption)
        return [
            mayBeFetched ? nil : needless.told("fetched again although recovered"),
            resumption.endedWell ? skipped.told("neither recovered nor asked for") : nil,
        ].compactMap(\.self)
    }

    /// True if bytes may have been fetched again to see which version an answer is of.
    ///
    /// Without a validator a worker compares some of its bytes, or fetches all again; what is
    /// between the two is a mistake. A foreign worker may always look at the first bytes, to see
    /// what it is.
    private func isToCompare(
        _ needless: ByteRanges, _ recovered: ByteRanges, _ resumption: Resumption
    ) -> Bool {
        guard !evidence.originChanged, evidence.relaunch != .twice else { return false }
        let each = Tolerances.comparedBytesPerRequest
        guard evidence.hidesVersion else {
            return !evidence.contract.isReference
                && needless.subtracting(ByteRanges([0..<each])).isEmpty
        }
        return needless.count <= each * Int64(resumption.requests.count) || needless == recovered
    }
}
