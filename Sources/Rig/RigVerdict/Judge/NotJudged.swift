import RigModel

/// Says what of a worker's promise a kill's evidence cannot judge, and why.
enum NotJudged {
    /// The sentence for a pass; nil when every promise was judged.
    ///
    /// A loss without a promised bound is reported if it is known, and named here if not, so that a
    /// missing figure is never mistaken for a good one.
    static func reason(_ evidence: IterationEvidence, _ figures: Measurements) -> String? {
        if let unseen = evidence.unseen {
            return "\(RowReason.notJudged)what the power cut leaves (not recorded: "
                + "\(unseen.joined(separator: ", "))), which --fault power-cut shows"
        }
        guard evidence.workload.hasBytes else { return nil }
        let isOnlyReported = evidence.contract.bound == nil || figures.isSurelyWithinBound
        let subject = isOnlyReported ? "loss" : "bound"
        if let why = whyNotLost(evidence, figures) {
            return "\(RowReason.notJudged)\(subject) (\(why))"
        }
        guard let bound = evidence.contract.bound, figures.bound == nil else { return nil }
        switch bound {
        // Without a promise by the policy there is nothing to judge (B2, T11).
        case .threshold:
            guard evidence.plan.policy.boundPerRequest(under: evidence.fault) != nil else {
                return nil
            }
            return "\(RowReason.notJudged)bound (the requests under way are not known)"
        case .bytes: return nil
        case .seconds:
            return "\(RowReason.notJudged)bound (it is one of seconds, and the origin's pace has no"
                + " limit: give --bandwidth)"
        }
    }

    private static func whyNotLost(
        _ evidence: IterationEvidence, _ figures: Measurements
    ) -> String? {
        if figures.received == nil {
            return "received is not known: "
                + (Measurements.whyNotReceived(evidence) ?? "no reason given")
        }
        guard figures.recovered == nil else { return nil }
        return "recovered is not known: "
            + (Measurements.whyNotRecovered(evidence) ?? "no reason given")
    }
}
