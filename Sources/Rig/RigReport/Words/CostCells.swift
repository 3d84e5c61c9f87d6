import RigModel

/// The table of what saving costs, beside what a kill loses, for the terminal and for Markdown.
enum CostCells {
    /// The titles; all columns but the first hold numbers.
    static let titles = [
        "per MB received", "lost max", "written", "writes", "syncs", "commits", "checkpoints",
        "processor time",
    ]

    /// A row per policy; no rows where no cost is known.
    static func rows(_ summaries: [PolicySummary]) -> [[String]] {
        guard summaries.contains(where: { $0.cost.writtenBytes != nil || $0.cost.writes != nil })
        else { return [] }
        return summaries.map(cells)
    }

    /// One policy's cells; `-` means unknown.
    private static func cells(_ summary: PolicySummary) -> [String] {
        func count(_ value: Double?) -> String {
            value.map { FixedPoint.text($0, decimals: 2) } ?? "-"
        }
        let cost = summary.cost
        return [
            summary.policy,
            summary.lostBytesMax.map { MetricUnit.readableBytes(Double($0)) } ?? "-",
            cost.writtenBytes.map(MetricUnit.readableBytes) ?? "-",
            count(cost.writes), count(cost.syncs), count(cost.commits), count(cost.checkpoints),
            cost.processorSeconds.map(MetricUnit.readableSeconds) ?? "-",
        ]
    }
}
