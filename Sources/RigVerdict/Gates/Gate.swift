package import RigModel

/// A condition over a run's measurements: `[POLICY:]METRIC[.STAT] OP VALUE`, or `… OP ±CHANGE vs
/// baseline`.
///
/// What a gate without a policy is about:
/// - `violations`, `violation_rate`, `corrupt_bytes`: all rows together;
/// - `loss_percent`, `lost_bytes`: each policy that has a threshold, separately, because
///   `disabled` promises nothing about loss; each policy there is when none has a threshold;
/// - everything else: each policy, separately.
///
/// What a gate without a statistic means: for `lost_bytes` the maximum, since a bound is a promise
/// about every kill; for `refetched_bytes`, `recovery_seconds` and `resume_seconds` nothing, so it
/// is refused; for the others the total, ratio or count over all rows.
package struct Gate: Sendable, Hashable {
    /// The gate as it was written, without spaces around it.
    package let text: String
    /// The policy's name, if the gate names one.
    package let policy: String?
    /// What is measured.
    package let metric: Metric
    /// The statistic of the rows' values; nil for the metric's total, ratio or count.
    package let statistic: Statistic?
    /// How the value is compared with the limit.
    package let comparison: Comparison
    /// The limit in the metric's unit; in percent where that is its kind.
    package let limit: Double
    /// What the limit is a limit of.
    package let kind: LimitKind

    /// The gates of every run, each unless the run's own gates speak about its metric.
    package static let defaults = [
        Gate(
            text: "violations == 0", policy: nil, metric: .violations, statistic: nil,
            comparison: .equal, limit: 0),
        Gate(
            text: "corrupt_bytes == 0", policy: nil, metric: .corruptBytes, statistic: nil,
            comparison: .equal, limit: 0),
        Gate(
            text: "inconclusive_percent <= 10", policy: nil, metric: .inconclusivePercent,
            statistic: nil, comparison: .atMost, limit: 10),
    ]

    /// Some gates, after the defaults that they do not speak about.
    ///
    /// A gate on loss must not silence the ones on corruption: a default gives way only to a gate
    /// on its own metric (a rate of violations stands for their number) over the whole run. A gate
    /// on one policy leaves the others to the default.
    ///
    /// - Parameter given: the gates of a run, as they were asked for or as its manifest lists them.
    /// - Returns: the gates that it is judged by.
    package static func withDefaults(_ given: [Gate]) -> [Gate] {
        let overall = given.filter { $0.policy == nil }
        let spokenAbout = Set(overall.map { $0.metric == .violationRate ? .violations : $0.metric })
        return defaults.filter { !spokenAbout.contains($0.metric) } + given
    }

    init(
        text: String, policy: String?, metric: Metric, statistic: Statistic?,
        comparison: Comparison, limit: Double, kind: LimitKind = .absolute
    ) {
        self.kind = kind
        self.text = text
        self.policy = policy
        self.metric = metric
        self.statistic = statistic
        self.comparison = comparison
        self.limit = limit
    }

    /// Reads a gate.
    ///
    /// - Parameter text: for instance `512KB:lost_bytes.max <= 512KB`.
    /// - Throws: ``RigModel/RigError`` with exit code 64 when the text is no gate.
    package init(_ text: String) throws(RigError) {
        self = try GateParser(text).gate()
    }

    /// The gate that `--max-loss-percent` stands for.
    ///
    /// - Parameter percent: the option's value as it was written.
    /// - Returns: the gate `loss_percent <= P`.
    /// - Throws: ``RigModel/RigError`` with exit code 64 when it is no percentage.
    package static func maxLossPercent(_ percent: String) throws(RigError) -> Gate {
        try Gate("loss_percent <= \(percent)")
    }

    /// The unit of the limit, and of the value that is compared with it.
    var limitUnit: MetricUnit { kind == .percent ? .percent : metric.unit }

    /// Where the gate is applied.
    ///
    /// - Parameter policies: the run's policies.
    /// - Returns: names of policies; nil among them stands for all rows together.
    func scopes(_ policies: [String]) -> [String?] {
        if let policy { return [policy] }
        if metric.spansPolicies { return [nil] }
        guard metric.isAboutLoss else { return policies }
        let bounded = policies.filter { Policy($0)?.threshold != nil }
        return bounded.isEmpty ? policies : bounded
    }
}

extension Manifest {
    /// The gates by which the run is judged when none are given.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 64 for a gate that cannot be read.
    package var judgedBy: [Gate] {
        get throws(RigError) {
            var read: [Gate] = []
            for text in gates { read.append(try Gate(text)) }
            return Gate.withDefaults(read)
        }
    }
}
