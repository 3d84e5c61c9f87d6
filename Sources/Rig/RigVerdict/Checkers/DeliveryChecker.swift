import RigModel

extension EvidenceChecker {
    /// C4, F2: a player must get the requested bytes, each in a 206 with the complete range, before
    /// the kill and after a relaunch; a wrong byte that reaches a player always counts.
    static let delivery = EvidenceChecker(
        checker: .delivery, applies: { $0.workload.hasPlayer },
        details: { $0.evidence.wrongDeliveries + $0.evidence.wrongAnswers },
        always: { $0.evidence.wrongDeliveries },
        lacksEvidence: {
            $0.evidence.played == nil
                || $0.evidence.isOfLastKill && $0.evidence.playedAfterwards == nil
        })
}

extension IterationEvidence {
    fileprivate var wrongAnswers: [String] {
        [("before the kill", played), ("afterwards", playedAfterwards)].compactMap {
            moment, delivery in
            delivery?.wrongAnswer.map { "\(moment), \($0)" }
        }
    }

    fileprivate var wrongDeliveries: [String] {
        let deliveries = [played, playedOffline, playedAfterwards].compactMap(\.self)
        let count = deliveries.reduce(Int64(0)) { $0 + $1.wrongBytes }
        guard count > 0 else { return [] }
        let first = Wording.place(deliveries.compactMap(\.firstDifference).first)
        return ["\(count.counted("byte")) handed to the player are unlike the video's\(first)"]
    }
}

extension Delivery {
    /// The first wrong answer, and how many others there are; nil for none.
    var wrongAnswer: String? {
        faults.first.map { $0 + (faults.count > 1 ? " and \(faults.count - 1) more" : "") }
    }
}
