import RigModel

/// The table of machines, for the terminal and for Markdown.
enum HostCells {
    /// The titles; all columns but the first hold numbers.
    static let titles = [
        "host", "parts", "rows", "violations", "inconclusive", "loss %", "recovery median",
    ]

    /// One line per machine; none unless there are several to compare.
    static func rows(_ hosts: [HostSummary]) -> [[String]] {
        hosts.count > 1 ? hosts.map(cells) : []
    }

    private static func cells(_ summary: HostSummary) -> [String] {
        [
            summary.host ?? "not known", String(summary.parts), String(summary.rows),
            String(summary.violations), String(summary.inconclusive),
            summary.lossPercent.map { FixedPoint.text($0, decimals: 2) } ?? "-",
            summary.recoverySecondsMedian.map(MetricUnit.readableSeconds) ?? "-",
        ]
    }
}
