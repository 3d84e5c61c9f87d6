import RigModel

/// The results of each machine of a merged run.
enum HostColumns {
    static var all: [Table.Column<HostSummary>] {
        [
            .text("host") { .string($0.host) }, .count("parts", \.parts), .count("rows", \.rows),
            .count("inconclusive", \.inconclusive), .failures("violations", \.violations),
            .percent("loss_percent", \.lossPercent),
            .seconds("recovery_seconds_median", \.recoverySecondsMedian),
        ]
    }

    /// The table for a terminal and Markdown; nil unless there are several machines to compare.
    static func table(_ hosts: [HostSummary]) -> Table? {
        guard hosts.count > 1 else { return nil }
        let host = Table.Column<HostSummary>.text("host") { .string($0.host ?? Figure.notKnown) }
        return hosts.table(
            [host]
                + all.titled([
                    "parts": "parts", "rows": "rows", "violations": "violations",
                    "inconclusive": "inconclusive", "loss_percent": "loss %",
                    "recovery_seconds_median": "recovery median",
                ]))
    }

    /// The table for the page; without loss and recovery for a run without kills.
    static func page(_ hosts: [HostSummary], ofKills: Bool) -> Table {
        let columns = all.titled([
            "host": "machine", "parts": "parts", "rows": "rows", "violations": "violations",
            "inconclusive": "inconclusive", "loss_percent": "loss",
            "recovery_seconds_median": "recovery median",
        ])
        return hosts.table(Array(columns.prefix(ofKills ? 7 : 5))).captioned("Results by machine")
    }
}
