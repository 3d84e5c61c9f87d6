/// What runs are compared by.
///
/// Not by throughput: what a row tells of a worker's speed ends at its kill, so that it says first of
/// all when that came.
package enum ComparedMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// 100 × Σ lost ÷ Σ received.
    case lossPercent = "loss_percent"
    /// Lost bytes per kill, the mean.
    case lostBytes = "lost_bytes"
    /// Refetched bytes per kill, the mean.
    case refetchedBytes = "refetched_bytes"
    /// From the relaunch until the worker knows what it has, the median.
    case recoverySeconds = "recovery_seconds"
    /// From the relaunch until the first new byte, the median.
    case resumeSeconds = "resume_seconds"

    /// Which figure stands for the rows.
    package var figure: String {
        switch self {
        case .lossPercent: "ratio of sums"
        case .lostBytes, .refetchedBytes: "mean"
        case .recoverySeconds, .resumeSeconds: "median"
        }
    }

    /// True for what the machine's speed is part of.
    package var isOfTime: Bool {
        switch self {
        case .recoverySeconds, .resumeSeconds: true
        case .lossPercent, .lostBytes, .refetchedBytes: false
        }
    }

    /// A value for people: `12.30 %`, `493.2 KB`, `12.3 ms`; negative ones have a sign.
    package func text(_ value: Double) -> String {
        let magnitude = abs(value)
        let text =
            switch self {
            case .lossPercent: "\(FixedPoint.text(magnitude, decimals: 2)) %"
            case .lostBytes, .refetchedBytes: MetricUnit.readableBytes(magnitude)
            case .recoverySeconds, .resumeSeconds: MetricUnit.readableSeconds(magnitude)
            }
        return value < 0 ? "-\(text)" : text
    }
}
