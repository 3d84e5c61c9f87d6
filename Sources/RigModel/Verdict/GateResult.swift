/// What became of a gate.
///
/// An unknown is never a pass.
package enum GateVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    /// The measured value satisfies the condition.
    case holds
    /// It does not.
    case fails
    /// There are too few conclusive rows to say.
    case unknown
}

/// A 95 % confidence interval; an end that the data cannot bound is nil.
package struct ConfidenceInterval: Sendable, Hashable, Codable {
    /// The lower end; nil when the data bound nothing from below.
    package let low: Double?
    /// The upper end; nil when the data bound nothing from above.
    package let high: Double?

    /// An interval.
    package init(low: Double?, high: Double?) {
        self.low = low
        self.high = high
    }

    /// True when the value lies in the interval, both ends included.
    package func contains(_ value: Double) -> Bool {
        (low ?? -.infinity) <= value && value <= (high ?? .infinity)
    }
}

/// One gate applied to one policy, or to all rows of a run.
package struct GateResult: Sendable, Hashable, Codable {
    /// The gate as it was written.
    package let gate: String
    /// The policy it was applied to; nil when it was applied to all rows together.
    package let policy: String?
    /// The measured value; nil when there is no row to measure.
    package let value: Double?
    /// What the value was compared with, in the same unit.
    package let limit: Double
    /// The unit of value, limit and interval.
    package let unit: MetricUnit
    /// The number of rows behind the value.
    package let n: Int
    /// The 95 % interval of the value; nil for totals of this run, which estimate nothing.
    package let interval: ConfidenceInterval?
    /// Whether the gate holds.
    package let verdict: GateVerdict

    /// A gate's result.
    package init(
        gate: String, policy: String?, value: Double?, limit: Double, unit: MetricUnit, n: Int,
        interval: ConfidenceInterval?, verdict: GateVerdict
    ) {
        self.gate = gate
        self.policy = policy
        self.value = value
        self.limit = limit
        self.unit = unit
        self.n = n
        self.interval = interval
        self.verdict = verdict
    }

    /// True when the limit lies inside the interval: another run may well say the opposite.
    package var isWithinNoise: Bool { interval?.contains(limit) ?? false }

    /// The gate with the policy it was applied to: `loss_percent <= 5 [512KB]`.
    package var title: String {
        guard let policy, !gate.hasPrefix("\(policy):") else { return gate }
        return "\(gate) [\(policy)]"
    }

    /// One line: `is 2.613 %, limit 0.100 %, n 100, 95 % interval 2.300 % to 2.900 %`.
    package var figures: String {
        guard let value else { return "not known, limit \(unit.text(limit)), n \(n)" }
        var text = "is \(unit.text(value)), limit \(unit.text(limit)), n \(n)"
        if let interval {
            let low = interval.low.map(unit.text) ?? "unbounded"
            let high = interval.high.map(unit.text) ?? "unbounded"
            text += ", 95 % interval \(low) to \(high)"
        }
        return text
    }
}
