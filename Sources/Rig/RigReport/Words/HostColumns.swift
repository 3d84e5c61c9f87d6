import RigModel

/// The results of each machine of a merged run.
enum HostColumns {
    static var all: [Table.Column<HostSummary>] {
        [
            .text("host") { .string($0.host) },
            .number("parts") { .integer($0.parts) },
            .number("rows") { .integer($0.rows) },
            .number("inconclusive") { .integer($0.inconclusive) },
            .failures("violations") { $0.violations },
            .number("loss_percent") { .percent($0.lossPercent) },
            .number("recovery_seconds_median") { .seconds($0.recoverySecondsMedian) },
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
