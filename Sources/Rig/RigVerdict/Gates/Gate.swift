package import RigModel

/// A condition on a run's measurements: `[POLICY:]METRIC[.STAT] OP VALUE`, or
/// `… OP ±CHANGE vs baseline`, or `vs history`.
///
/// Without a policy, counts of failures and corrupt bytes are of all rows together, and everything
/// else of each policy: losses of those with a threshold, if there are any, as `disabled` promises
/// none. What it means without a statistic, ``Metric/Facts`` say.
package struct Gate: Sendable, Hashable {
    /// As written, without surrounding spaces.
    package let text: String
    package var policy: String?
    package let metric: Metric
    /// Nil for the metric's total, ratio or count.
    package var statistic: Statistic?
    package let comparison: Comparison
    /// The limit in the metric's unit, or in percent if `kind` says so.
    package let limit: Double
    package var kind = LimitKind.absolute
    /// What a change is measured from; says nothing of an absolute limit.
    package var reference = GateReference.baseline

    /// The gates of every run; one is dropped if the run's own gates cover its metric.
    package static let defaults = [
        standard(GateResult.standard.violations, .violations, .equal, 0),
        standard(GateResult.standard.corruption, .corruptBytes, .equal, 0),
        standard(GateResult.standard.inconclusive, .inconclusivePercent, .atMost, 10),
    ]

    private static func standard(
        _ text: String, _ metric: Metric, _ comparison: Comparison, _ limit: Double
    ) -> Gate { Gate(text: text, metric: metric, comparison: comparison, limit: limit) }

    /// Adds the default gates on whose metrics none is given for the whole run: one on loss must
    /// not disable those on corruption, nor one on a policy those on the others.
    package static func withDefaults(_ given: [Gate]) -> [Gate] {
        let overall = given.filter { $0.policy == nil }
        let spokenAbout = Set(overall.map { $0.metric == .violationRate ? .violations : $0.metric })
        return defaults.filter { !spokenAbout.contains($0.metric) } + given
    }

    /// Leaves out the standard gate on damaged bytes without bytes; exit code 64 for another.
    package static func fitting(_ gates: [Gate], _ workload: Workload) throws(RigError) -> [Gate] {
        guard !workload.hasBytes else { return gates }
        let kept = gates.filter { $0.text != GateResult.standard.corruption }
        if let gate = kept.first(where: { $0.metric.facts.needsBytes }) {
            throw RigError.usage(
                "gate '\(gate.text)': a program that a check judges has no such figure; use "
                    + "violations, violation_rate, inconclusive_percent or recovery_seconds")
        }
        return kept
    }

    var limitUnit: MetricUnit { kind == .percent ? .percent : metric.unit }

    /// The policies that the gate is applied to, each alone; nil stands for all rows together.
    func scopes(_ policies: [String]) -> [String?] {
        if let policy { return [policy] }
        // A program that downloads nothing has no policy that needs a name.
        if metric.facts.spansPolicies || policies == [Policy.program.name] { return [nil] }
        guard metric == .lossPercent || metric == .lostBytes else { return policies }
        let bounded = policies.filter { Policy($0)?.threshold != nil }
        return bounded.isEmpty ? policies : bounded
    }
}

extension Gate {
    /// Parses a gate such as `512KB:lost_bytes.max <= 512KB`; exit code 64 for other text.
    package init(_ text: String) throws(RigError) { self = try GateParser(text).gate() }
}

extension Manifest {
    /// The gates that judge the run when no others are given; exit code 64 for one that is none.
    package var judgedBy: [Gate] {
        get throws(RigError) {
            var read: [Gate] = []
            for text in spec.gates { read.append(try Gate(text)) }
            return try Gate.fitting(Gate.withDefaults(read), spec.workload)
        }
    }
}

package enum LimitKind: Sendable, Hashable {
    /// The metric itself: `<= 300KB`.
    case absolute
    /// The metric's rise since the baseline, in its own unit: `< +64KB vs baseline`.
    case difference
    /// The metric's rise in percent of the baseline: `< +5% vs baseline`.
    case percent
}

package enum GateReference: String, Sendable, Hashable, CaseIterable {
    case baseline
    case history
}
