import RigModel

/// The runs that gates compare with: one that `--baseline` names, and those of a history.
package struct GateBaseline: Sendable, Hashable {
    private let run: ComparableRun?
    /// The runs of the same job in the history, oldest first; nil where none is named.
    private let history: [ComparableRun]?

    package init(_ run: ComparableRun) { self.init(run: run, history: nil) }

    /// The run of `vs baseline`, and those of `vs history`, maybe none yet; nil if not named.
    package init(run: ComparableRun?, history: [ComparableRun]?) {
        (self.run, self.history) = (run, history)
    }

    var name: String { run?.name ?? "" }

    var rows: [IterationRow] { run?.rows ?? [] }

    /// True when it has what a gate compares with.
    func serves(_ reference: GateReference) -> Bool {
        switch reference {
        case .baseline: run != nil
        case .history: history != nil
        }
    }

    /// What differs in kind between the baseline and the judged run, one line each.
    package func differences(to judged: ComparableRun) -> [String] {
        guard let run else { return [] }
        return judged.differences(from: run).map { "the baseline \($0)" }
    }

    /// What a history lacks for a gate on it, one line at most.
    package func shortages(of gates: [Gate]) -> [String] {
        guard let history, history.isEmpty, gates.contains(where: { $0.comparesWith(.history) })
        else { return [] }
        return [
            "the history has no earlier run of this job: gates vs history are undecided until rig "
                + "history add has added one"
        ]
    }

    /// The rows in a gate's scope: those of its policy, or of all the run's policies.
    func rows(_ scope: String?, of policies: [String]) -> [IterationRow] {
        Self.rows(of: rows, scope, of: policies)
    }

    /// The same of each run that a gate compares with; runs without such rows are left out.
    func runs(of gate: Gate, _ scope: String?, policies: [String]) -> [[IterationRow]] {
        let all: [ComparableRun] =
            switch gate.reference {
            case .baseline: [run].compactMap(\.self)
            case .history: history ?? []
            }
        return all.map { Self.rows(of: $0.rows, scope, of: policies) }.filter { !$0.isEmpty }
    }

    private static func rows(
        of rows: [IterationRow], _ scope: String?, of policies: [String]
    ) -> [IterationRow] {
        guard let scope else { return rows.filter { policies.contains($0.policy) } }
        return rows.filter { $0.policy == scope }
    }
}

extension Gate {
    package var needsBaseline: Bool { kind.needsBaseline }

    /// True for a gate on a change since the runs of a reference.
    package func comparesWith(_ other: GateReference) -> Bool {
        needsBaseline && reference == other
    }

    /// Why the gate cannot be compared with the baseline, and what to do; nil when it can.
    func baselineObjection(_ baseline: GateBaseline?, policies: [String]) -> String? {
        guard needsBaseline else { return nil }
        guard let baseline, baseline.serves(reference) else {
            return reference == .baseline
                ? "gate '\(text)' needs a run to compare with; give --baseline RUN"
                : "gate '\(text)' needs a history to compare with; give --history FILE"
        }
        // What a history does not know leaves the gate undecided: it grows.
        guard reference == .baseline else { return nil }
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
