/// Metrics by which runs are compared; throughput mostly reflects when the kill came.
package enum ComparedMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// 100 × Σ lost ÷ Σ received.
    case lossPercent = "loss_percent"
    case lostBytes = "lost_bytes"
    case refetchedBytes = "refetched_bytes"
    case recoverySeconds = "recovery_seconds"
    case resumeSeconds = "resume_seconds"
    case writtenPerMB = "written_bytes_per_mb"
    case writesPerMB = "writes_per_mb"
    case processorSecondsPerMB = "cpu_seconds_per_mb"

    /// How it sums up rows, and the words for that.
    package enum Kind: String {
        case ratio = "ratio of sums"
        case mean, median
    }

    package var kind: Kind {
        switch self {
        case .lossPercent, .writtenPerMB, .writesPerMB, .processorSecondsPerMB: .ratio
        case .lostBytes, .refetchedBytes: .mean
        case .recoverySeconds, .resumeSeconds: .median
        }
    }

    package var figure: String { kind.rawValue }

    package var isOfTime: Bool {
        [.recoverySeconds, .resumeSeconds, .processorSecondsPerMB].contains(self)
    }

    /// True for what saving costs, which other runs may not know.
    package var isOfCost: Bool {
        [.writtenPerMB, .writesPerMB, .processorSecondsPerMB].contains(self)
    }

    /// The value as readable text: `12.30 %`, `493.2 KB`, `12.3 ms`; negative values have a sign.
    package func text(_ value: Double) -> String {
        let magnitude = abs(value)
        let text =
            switch self {
            case .lossPercent: "\(FixedPoint.text(magnitude, decimals: 2)) %"
            case .lostBytes, .refetchedBytes, .writtenPerMB: MetricUnit.readableBytes(magnitude)
            case .writesPerMB: FixedPoint.text(magnitude, decimals: 2)
            case .recoverySeconds, .resumeSeconds, .processorSecondsPerMB:
                MetricUnit.readableSeconds(magnitude)
            }
        return value < 0 ? "-\(text)" : text
    }
}
