/// The result of a gate; an unknown is never a pass.
package enum GateVerdict: String, Sendable, Hashable, Codable, CaseIterable {
    case holds, fails
    /// Too few conclusive rows, too many others, or ones that do not know what is measured.
    case unknown
}

/// A 95 % confidence interval; a bound that the data cannot give is nil.
package struct ConfidenceInterval: Sendable, Hashable, Codable {
    package let low: Double?
    package let high: Double?

    package init(low: Double?, high: Double?) { (self.low, self.high) = (low, high) }

    package func contains(_ value: Double) -> Bool {
        (low ?? -.infinity) <= value && value <= (high ?? .infinity)
    }

    package func scaled(by factor: Double) -> Self {
        Self(low: low.map { $0 * factor }, high: high.map { $0 * factor })
    }
}

package struct GateResult: Sendable, Hashable, Codable {
    package let gate: String
    /// The policy it was applied to; nil when it was applied to all rows together.
    package let policy: String?
    package let value: Double?
    package let limit: Double
    package let unit: MetricUnit
    package let n: Int
    /// The 95 % interval of the value; nil for counts, sums and extremes, which are no estimates.
    package let interval: ConfidenceInterval?
    package let verdict: GateVerdict
    /// Conclusive rows that do not tell whether the gate is kept, which then cannot hold.
    package let unknownRows: Int

    package init(
        gate: String, policy: String?, value: Double?, limit: Double, unit: MetricUnit, n: Int,
        interval: ConfidenceInterval?, verdict: GateVerdict, unknownRows: Int = 0
    ) {
        (self.unknownRows, self.gate, self.policy, self.value) = (unknownRows, gate, policy, value)
        (self.limit, self.unit, self.n, self.interval) = (limit, unit, n, interval)
        self.verdict = verdict
    }

    /// True when the limit lies inside the interval: another run may give the opposite result.
    package var straddles: Bool { interval?.contains(limit) ?? false }

    /// About how many rows would shrink the interval to the limit; nil where that does not help: at
    /// a bound of the interval, or too close to the limit for any run.
    package var rowsToDecide: Int? {
        guard straddles, let value, let low = interval?.low, let high = interval?.high,
            low < value, value < high, value != limit
        else { return nil }
        let end = value < limit ? high : low
        let ratio = (end - value) / (limit - value)
        let rows = (Double(n) * ratio * ratio).rounded(.up)
        // More than one significant digit would claim too much precision.
        guard rows > Double(n), rows < 1e7 else { return nil }
        var step = 1
        while step * 10 <= Int(rows) { step *= 10 }
        return (Int(rows) + step - 1) / step * step
    }

    /// The gates of every run, as written; a run's own gate on the same metric replaces one.
    package static let standard = (
        violations: "violations == 0", corruption: "corrupt_bytes == 0",
        inconclusive: "inconclusive_percent <= 10"
    )

    package var isStandard: Bool {
        [Self.standard.violations, Self.standard.corruption, Self.standard.inconclusive]
            .contains(gate)
    }

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
        if unknownRows > 0 { text += ", not known of \(unknownRows) more" }
        return text
    }
}
