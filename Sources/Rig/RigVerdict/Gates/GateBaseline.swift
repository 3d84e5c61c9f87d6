import RigModel

/// A run that gates compare with, named by `--baseline`.
package struct GateBaseline: Sendable, Hashable {
    private let run: ComparableRun

    package init(_ run: ComparableRun) { self.run = run }

    /// The name for messages.
    var name: String { run.name }

    var rows: [IterationRow] { run.rows }

    /// What differs in kind between the baseline and the judged run, one line each.
    package func differences(to judged: ComparableRun) -> [String] {
        judged.differences(from: run).map { "the baseline \($0)" }
    }

    /// The rows in a gate's scope: those of its policy, or of all the run's policies.
    func rows(_ scope: String?, of policies: [String]) -> [IterationRow] {
        guard let scope else { return rows.filter { policies.contains($0.policy) } }
        return rows.filter { $0.policy == scope }
    }
}

extension Gate {
    package var needsBaseline: Bool { kind.needsBaseline }

    /// Why the gate cannot be compared with the baseline, and what to do; nil when it can.
    ///
    /// - Parameter baseline: the run to compare with; nil if none was given.
    /// - Returns: a message of one or two lines for the user.
    func baselineObjection(_ baseline: GateBaseline?, policies: [String]) -> String? {
        guard needsBaseline else { return nil }
        guard let baseline else {
            return "gate '\(text)' needs a run to compare with; give --baseline RUN"
        }
        for policy in policy.map({ [$0] }) ?? scopes(policies).compactMap({ $0 }) {
            if let problem = objection(baseline, policy) { return problem }
        }
        guard scopes(policies) == [nil] else { return nil }
        let known = Set(baseline.rows.map(\.policy))
        if let missing = policies.first(where: { !known.contains($0) }) {
            return without(missing, baseline)
        }
        return figureObjection(baseline.rows(nil, of: policies), baseline, place: "")
    }

    private func objection(_ baseline: GateBaseline, _ policy: String) -> String? {
        let rows = baseline.rows(policy, of: [])
        guard !rows.isEmpty else { return without(policy, baseline) }
        return figureObjection(rows, baseline, place: " of \(policy)")
    }

    private func without(_ policy: String, _ baseline: GateBaseline) -> String {
        "gate '\(text)': the baseline \(baseline.name) has no policy \(policy); name a run that has"
            + " it by --baseline, or put another policy before the gate"
    }

    private func figureObjection(
        _ rows: [IterationRow], _ baseline: GateBaseline, place: String
    ) -> String? {
        guard let value = exactFigure(rows) else {
            return
                "gate '\(text)': \(metric.rawValue) is unknown in every conclusive row\(place) of the"
                + " baseline \(baseline.name); name another by --baseline, or leave the gate out"
        }
        guard kind == .percent, value == 0 else { return nil }
        let example = metric.unit == .bytes ? "+64KB" : metric.unit == .seconds ? "+0.1s" : "+1"
        return "gate '\(text)': \(metric.rawValue)\(place) is 0 in the baseline \(baseline.name),"
            + " and nothing is a percentage of that; give a difference, such as \(example) vs"
            + " baseline"
    }
}
