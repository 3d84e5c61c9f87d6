import RigModel

/// C4, F2: a player must get the requested bytes, in correct answers.
///
/// Checked before the kill, and after a relaunch with the origin available. A wrong byte that
/// reaches a player is corruption, whatever the stored state says.
enum DeliveryChecker: EvidenceChecker {
    static let checker = Checker.delivery

    static func applies(to evidence: IterationEvidence) -> Bool {
        evidence.workload.hasPlayer
    }

    /// Every byte must be right, and every answer a 206 with the complete requested range.
    static func details(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        let faults = [
            ("before the kill", evidence.played), ("afterwards", evidence.playedAfterwards),
        ]
        .compactMap { moment, delivery -> String? in
            guard let delivery, let first = delivery.faults.first else { return nil }
            let others = delivery.faults.count - 1
            return "\(moment), \(first)" + (others > 0 ? " and \(others) more" : "")
        }
        return inexcusable(evidence, figures) + faults
    }

    /// Needs the deliveries before the kill, and those after the last kill of a chain.
    static func lacksEvidence(_ evidence: IterationEvidence, _ figures: Measurements) -> Bool {
        let isLast = !(evidence.resumption?.wasKilled ?? false)
        return evidence.played == nil || isLast && evidence.playedAfterwards == nil
    }

    /// What is wrong with the bytes delivered to a player at any time.
    static func inexcusable(_ evidence: IterationEvidence, _ figures: Measurements) -> [String] {
        let deliveries = [evidence.played, evidence.playedOffline, evidence.playedAfterwards]
            .compactMap(\.self)
        let count = deliveries.reduce(Int64(0)) { $0 + $1.wrongBytes }
        guard count > 0 else { return [] }
        let first = Wording.place(deliveries.compactMap(\.firstDifference).first)
        return ["\(Wording.bytes(count)) handed to the player are unlike the video's\(first)"]
    }
}
