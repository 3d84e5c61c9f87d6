import RigModel

extension EvidenceChecker {
    /// No process of a worker may survive its kill, or its end with a full disk: one that has left
    /// the worker's process group goes on with the work, and the kill proves nothing.
    static let leftover = EvidenceChecker(
        checker: .leftover, counts: [.any], points: [.cleansUp], knows: { _ in true },
        details: { kill in
            let outlived = kill.evidence.outlived
            guard let first = outlived.first else { return [] }
            let more = outlived.count == 1 ? "" : " and \(outlived.count - 1) more"
            let moment = kill.evidence.fault.hasMoment ? "was killed" : "had ended"
            return ["\(first)\(more) went on when the worker \(moment): run it in the foreground"]
        })
}
