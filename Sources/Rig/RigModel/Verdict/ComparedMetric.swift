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

    /// All that is known of a metric; another one is a case, and its line in ``facts``.
    package struct Facts {
        package let kind: Kind
        let unit: MetricUnit
        /// True for what saving costs, which other runs may not know: a ratio to what came.
        package var isOfCost = false
        /// The row's figure, of a ratio the upper one; nil when it is unknown.
        package let top: (IterationRow) -> Double?
    }

    package var facts: Facts {
        switch self {
        case .lossPercent:
            Facts(kind: .ratio, unit: .percent) { $0.lostBytes.map { 100 * Double($0) } }
        case .lostBytes: Facts(kind: .mean, unit: .bytes) { $0.lostBytes.map(Double.init) }
        case .refetchedBytes:
            Facts(kind: .mean, unit: .bytes) { $0.refetchedBytes.map(Double.init) }
        case .recoverySeconds: Facts(kind: .median, unit: .seconds) { $0.recoverySeconds }
        case .resumeSeconds: Facts(kind: .median, unit: .seconds) { $0.resumeSeconds }
        case .writtenPerMB:
            Facts(kind: .ratio, unit: .bytes, isOfCost: true) { $0.writtenBytes.map(Double.init) }
        case .writesPerMB:
            Facts(kind: .ratio, unit: .count, isOfCost: true) { $0.writes.map(Double.init) }
        case .processorSecondsPerMB:
            Facts(kind: .ratio, unit: .seconds, isOfCost: true) { $0.processorSeconds }
        }
    }

    package var figure: String { facts.kind.rawValue }
    package var isOfTime: Bool { facts.unit == .seconds }

    /// The decimals with which it is written to files.
    package var decimals: Int {
        switch facts.unit {
        case .bytes: 1
        case .seconds: 6
        case .count, .percent, .fraction: 3
        }
    }

    /// The value as readable text: `12.30 %`, `493.2 KB`, `12.3 ms`; negative values have a sign.
    package func text(_ value: Double) -> String {
        let magnitude = abs(value)
        let unit = facts.unit
        let text =
            unit == .count ? FixedPoint.text(magnitude, decimals: 2) : unit.brief(magnitude)
        return value < 0 ? "-\(text)" : text
    }
}
