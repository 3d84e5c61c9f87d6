/// What runs are compared by.
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
    /// Received bytes ÷ seconds from the worker's launch to its kill, the median: how fast the
    /// worker came to where it was killed, its start included. In bytes per second.
    case throughput = "throughput"

    /// Which figure stands for the rows.
    package var figure: String {
        switch self {
        case .lossPercent: "ratio of sums"
        case .lostBytes, .refetchedBytes: "mean"
        case .recoverySeconds, .resumeSeconds, .throughput: "median"
        }
    }

    /// True where more of it is better.
    package var isBetterGreater: Bool { self == .throughput }

    /// True for what the machine's speed is part of.
    package var isOfTime: Bool {
        switch self {
        case .recoverySeconds, .resumeSeconds, .throughput: true
        case .lossPercent, .lostBytes, .refetchedBytes: false
        }
    }

    /// A value for people: `12.30 %`, `493.2 KB`, `12.3 ms`, `7.1 MB/s`; negative ones have a sign.
    package func text(_ value: Double) -> String {
        let magnitude = abs(value)
        let text =
            switch self {
            case .lossPercent: "\(FixedPoint.text(magnitude, decimals: 2)) %"
            case .lostBytes, .refetchedBytes: MetricUnit.readableBytes(magnitude)
            case .recoverySeconds, .resumeSeconds: MetricUnit.readableSeconds(magnitude)
            case .throughput: "\(MetricUnit.readableBytes(magnitude))/s"
            }
        return value < 0 ? "-\(text)" : text
    }
}
