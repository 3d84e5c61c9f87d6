import RigModel

/// The runs that gates compare with: one that `--baseline` names, and those of a history.
package struct GateBaseline: Sendable, Hashable {
    private let run: ComparableRun?
    /// The runs of the same job in the history, oldest first; nil where none is named.
    private let history: [ComparableRun]?
    /// What is not among them, and why; nil if nothing is missing.
    private let gap: String?

    /// The run of `vs baseline`, and those of `vs history`, maybe none yet; nil if not named.
    package init(run: ComparableRun?, history: [ComparableRun]?, gap: String? = nil) {
        (self.run, self.history, self.gap) = (run, history, gap)
    }

    package func differences(to judged: ComparableRun) -> [String] {
        guard let run else { return [] }
        return judged.differences(from: run).map { "the baseline \($0)" }
    }

    /// What a history lacks for a gate on it, one line at most.
    package func shortages(of gates: [Gate]) -> [String] {
        guard let history, gates.contains(where: { $0.comparesWith(.history) }) else { return [] }
        let none =
            "the history has no earlier run of this job: gates vs history are undecided until rig "
            + "history add has added one"
        let lacks = [gap, history.isEmpty ? none : nil].compactMap(\.self)
        return lacks.isEmpty ? [] : [lacks.joined(separator: "; ")]
    }

    /// The runs that a gate can compare with; nil where none is named.
    func runs(_ reference: GateReference) -> [ComparableRun]? {
        reference == .baseline ? run.map { [$0] } : history
    }

    /// The rows of each that are of a gate's policy, or of all the run's; runs without any are left
    /// out.
    func runs(of gate: Gate, _ scope: String?, policies: [String]) -> [[IterationRow]] {
        let wanted = scope.map { [$0] } ?? policies
        return (runs(gate.reference) ?? []).map { run in
            run.rows.filter { wanted.contains($0.policy) }
        }.filter { !$0.isEmpty }
    }
}

extension Gate {
    package var needsBaseline: Bool { kind != .absolute }

    package func comparesWith(_ other: GateReference) -> Bool {
        needsBaseline && reference == other
    }

    /// Why the gate cannot be compared with the baseline, and what to do; nil when it can.
    func baselineObjection(_ baseline: GateBaseline?, policies: [String]) -> String? {
        guard needsBaseline else { return nil }
        guard let baseline, let runs = baseline.runs(reference) else {
            return reference == .baseline
                ? "gate '\(text)' needs a run to compare with; give --baseline RUN"
                : "gate '\(text)' needs a history to compare with; give --history FILE"
        }
        // What a history does not know leaves the gate undecided: it grows.
        guard reference == .baseline, let run = runs.first else { return nil }
        for scope in scopes(policies) {
            let wanted = scope.map { [$0] } ?? policies
            if let missing = wanted.first(where: { run.rows(of: $0).isEmpty }) {
                return "gate '\(text)': the baseline \(run.name) has no policy \(missing); name a"
                    + " run that has it by --baseline, or put another policy before the gate"
            }
            let rows = baseline.runs(of: self, scope, policies: policies).flatMap(\.self)
            if let problem = figureObjection(rows, run, place: scope.map { " of \($0)" } ?? "") {
                return problem
            }
        }
        return nil
    }

    private func figureObjection(
        _ rows: [IterationRow], _ baseline: ComparableRun, place: String
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
