import RigModel

/// The table of policies, for the terminal and for Markdown.
enum PolicyCells {
    /// The titles; all columns but the first hold numbers.
    static let titles = [
        "policy", "iterations", "violations", "inconclusive", "loss %", "allowed %",
        "documented %", "lost median", "lost p95", "lost max", "bound", "refetched",
        "recovery median",
    ]

    /// One policy's cells; `-` means unknown or not promised.
    static func cells(_ summary: PolicySummary) -> [String] {
        func bytes(_ value: Double?) -> String {
            value.map(MetricUnit.readableBytes) ?? "-"
        }
        return [
            summary.policy,
            String(summary.iterations),
            String(summary.violations),
            String(summary.inconclusive),
            summary.lossPercent.map { FixedPoint.text($0, decimals: 2) } ?? "-",
            summary.allowedLossPercent.map { FixedPoint.text($0, decimals: 2) } ?? "-",
            summary.documentedLossPercent ?? "-",
            bytes(summary.lostBytesMedian),
            bytes(summary.lostBytesP95),
            bytes(summary.lostBytesMax.map(Double.init)),
            bytes(summary.boundBytes.map(Double.init)),
            bytes(summary.refetchedBytes.map(Double.init)),
            summary.recoverySecondsMedian.map(MetricUnit.readableSeconds) ?? "-",
        ]
    }
}
