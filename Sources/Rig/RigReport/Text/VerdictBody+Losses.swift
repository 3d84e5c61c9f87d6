import RigModel

extension VerdictBody {
    var damage: [VerdictLine] {
        let known = run.rows.filter { $0.corruptBytes != nil || $0.integrity != nil }
        let damaged = known.count { $0.corruptBytes ?? 0 > 0 || $0.integrity == false }
        let isRequired = summary.gates.contains { $0.gate == GateResult.standard.corruption }
        return [
            VerdictLine(
                "data damaged", known.isEmpty ? "not known" : count(damaged),
                isRequired ? "required: 0" : "")
        ]
    }

    var losses: [VerdictLine] {
        guard !run.sparesWorkers, !conclusive.isEmpty else { return [] }
        let own = summary.policies.count == 1 ? summary.policies.first.map(losses) ?? [] : []
        return own + [nothingKept, early, askedToEnd, diskStates].compactMap(\.self)
    }

    private func losses(_ policy: PolicySummary) -> [VerdictLine] {
        guard let median = policy.lostBytesMedian else { return [worstLoss(policy)] }
        let percent = policy.lossPercent.map {
            "\(VerdictFigure.percent($0)) of the bytes received"
        }
        let allowed = policy.allowedLossPercent.map { " (\(VerdictFigure.percent($0)) allowed)" }
        let note = percent.map { $0 + (allowed ?? "") } ?? ""
        return [worstLoss(policy), VerdictLine("typical loss", VerdictFigure.size(median), note)]
    }

    /// The worst loss and what limits it; a worse one may be among those that are not known.
    private func worstLoss(_ policy: PolicySummary) -> VerdictLine {
        let unknown = conclusive.filter { $0.policy == policy.policy && $0.lostBytes == nil }
        let isPartial = !unknown.isEmpty && policy.lostBytesMax != nil
        let worst = Self.worst(policy)
        let parts = [
            worst.limit, isPartial ? "not known of \(unknown.count.counted(unit))" : nil,
            Self.whyUnknown(unknown),
        ].compactMap(\.self)
        return VerdictLine(
            "worst loss", isPartial ? "at least \(worst.loss)" : worst.loss,
            parts.joined(separator: "; "))
    }

    static func whyUnknown(_ rows: [IterationRow]) -> String? {
        let reasons = rows.compactMap(\.whyNotJudged).compactMap {
            $0.wholeMatch(of: /(?:loss|bound) \((.*)\)/).map { String($0.output.1) }
        }
        return ReasonKind.mostFrequent(of: reasons, by: { $0 })?.example
    }

    static func worst(_ policy: PolicySummary) -> (loss: String, limit: String) {
        switch (policy.lostBytesMax, policy.boundBytes) {
        case (let lost?, let bound?):
            let sizes = VerdictFigure.sizes(lost, bound)
            return (sizes.first, "allowed: \(sizes.second)")
        case (let lost?, nil): return (VerdictFigure.size(lost), "no limit is promised")
        case (nil, let bound?): return ("not known", "allowed: \(VerdictFigure.size(bound))")
        case (nil, nil): return ("not known", "no limit is promised")
        }
    }

    /// Kills after which nothing was left: a median makes many small losses of them.
    private var nothingKept: VerdictLine? {
        let rows = conclusive.filter(\.keptNothing)
        guard let latest = rows.compactMap(\.receivedBytes).max() else { return nil }
        let byPolicy = summary.policies.map { policy in
            (policy.policy, rows.count { $0.policy == policy.policy })
        }.filter { $0.1 > 0 }
        let note =
            summary.policies.count > 1
            ? byPolicy.map { "\($0) \($1)" }.joined(separator: ", ")
            : "the latest after \(VerdictFigure.size(latest)) received"
        return VerdictLine("everything lost", "\(rows.count) of \(count(conclusive.count))", note)
    }

    /// How workers answered that were asked to end.
    var askedToEnd: VerdictLine? {
        let asked = conclusive.filter { $0.graceSeconds != nil }
        guard !asked.isEmpty else { return nil }
        let ended = asked.compactMap(\.endSeconds)
        let grace = (run.manifest.grace ?? .standard).text
        let slowest = ended.max().map { ", within \(MetricUnit.readableSeconds($0))" } ?? ""
        return VerdictLine(
            "asked to end", "\(ended.count) of \(count(asked.count)) ended\(slowest)",
            "\(asked.count - ended.count) killed after the grace of \(grace)")
    }

    /// Kills that could not cost much, wherever a worker saves.
    private var early: VerdictLine? {
        let received = conclusive.compactMap(\.receivedBytes)
        let first: Int64 = 64 << 10
        let few = received.count { $0 <= first }
        guard few > 0, few * 2 >= received.count else { return nil }
        return VerdictLine(
            "killed early", "\(few) of \(count(received.count))",
            "within the first \(VerdictFigure.size(first)) received")
    }

    /// Where a power cut was judged by several of the states that it can leave.
    var diskStates: VerdictLine? {
        let tried = conclusive.compactMap(\.crashStates)
        let sweep = conclusive.sweep
        guard sweep != nil || tried.contains(where: { $0 > 1 }) else { return nil }
        return VerdictLine(
            "disk states", "\(tried.reduce(0, +)) tried",
            "after \(count(tried.count))" + (sweep.map { ", for \($0.words)" } ?? ""))
    }
}
