import RigModel

extension JudgedKill {
    /// What of a worker's promise the evidence cannot judge, and why; also an unknown loss without
    /// a promised bound, so that a missing figure is never mistaken for a good one.
    var notJudged: String? {
        if let unseen = evidence.unseen {
            return "\(RowReason.notJudged)what the power cut leaves (not recorded: "
                + "\(unseen.joined(separator: ", "))), which --fault power-cut shows"
        }
        guard evidence.workload.hasBytes else { return nil }
        let isOnlyReported = evidence.contract.bound == nil || figures.isSurelyWithinBound
        let subject = isOnlyReported ? "loss" : "bound"
        if let why = whyNotLost { return "\(RowReason.notJudged)\(subject) (\(why))" }
        guard evidence.isBoundPromised, figures.bound == nil else { return nil }
        return switch evidence.contract.bound {
        case .threshold: "\(RowReason.notJudged)bound (the requests under way are not known)"
        case .bytes, nil: nil
        case .seconds:
            "\(RowReason.notJudged)bound (it is one of seconds, and the origin's pace has no"
                + " limit: give --bandwidth)"
        }
    }

    private var whyNotLost: String? {
        if figures.received == nil {
            return "received is not known: \(evidence.whyNotReceived ?? "no reason given")"
        }
        guard figures.recovered == nil else { return nil }
        return "recovered is not known: \(evidence.whyNotRecovered ?? "no reason given")"
    }
}

extension IterationEvidence {
    fileprivate var whyNotRecovered: String? {
        if contract.hasInspection { return autopsyError }
        guard let resumption else { return "the worker was not relaunched" }
        if resumption.wasKilled {
            return lostByAnyKill == nil
                ? "the relaunched worker was killed in its turn" : Measurements.anyKill
        }
        if relaunch == .other { return "another video was fetched after the kill" }
        if originChanged { return "the origin answered otherwise after the kill" }
        if hidesVersion { return "the origin's answers do not name their version" }
        if relaunch == .twice { return "two instances fetched after the kill" }
        return resumption.endedWell ? nil : "the relaunched worker did not end well"
    }

    fileprivate var whyNotReceived: String? {
        guard beganWithKnown else { return "what the kill before it had left is not known" }
        guard let sockets else { return "its sockets were not read" }
        return sockets.unknownReason
    }
}
