import RigModel

/// The columns of `summary.csv` (spec 2), which `summary.json` has, too, and of which the tables for
/// people are choices.
///
/// Medians and means of bytes have one decimal, percentages three, rates and seconds six.
enum SummaryColumns {
    static var all: [Table.Column<PolicySummary>] {
        [
            .count("schema") { _ in PolicySummary.schema },
            .word("policy", \.policy).clipped(200), .word("worker", \.worker),
            .word("fault", \.fault), .count("iterations", \.iterations), .count("kills", \.kills),
            .count("passed", \.passed), .count("failed", \.failed),
            .count("inconclusive", \.inconclusive), .size("received_bytes", \.receivedBytes),
            .size("recovered_bytes", \.recoveredBytes), .size("lost_bytes", \.lostBytes),
            .percent("loss_percent", \.lossPercent),
            .number("documented_loss_percent") { .string($0.documentedLossPercent) },
            .bytes("lost_bytes_median", 1, \.lostBytesMedian),
            .bytes("lost_bytes_p95", 0, \.lostBytesP95),
            .bytes("lost_bytes_p99", 0, \.lostBytesP99), .size("lost_bytes_max", \.lostBytesMax),
            .size("bound_bytes", \.boundBytes).absent("no limit"),
            .failures("violations", \.violations),
            .rate("violation_rate_ucb95", \.violationRateUCB95),
            .size("corrupt_bytes", \.corruptBytes), .size("refetched_bytes", \.refetchedBytes),
            .decimal("commits_mean", 3, \.commitsMean),
            .bytes("commit_bytes_mean", 1, \.commitBytesMean),
            .seconds("recovery_seconds_median", \.recoverySecondsMedian),
            .seconds("recovery_seconds_p99", \.recoverySecondsP99),
            .word("phases_hit") { $0.phasesHit.map(\.rawValue).joined(separator: "|") },
            .percent("allowed_loss_percent", \.allowedLossPercent),
            .count("not_judged", \.notJudged), .count("kept_nothing", \.keptNothing),
            .count("attempts", \.attempts), .text("kill_spread") { .string($0.killSpread) },
            .bytes("written_bytes_per_mb", 1, \.cost.writtenBytes),
            .decimal("writes_per_mb", 3, \.cost.writes),
            .decimal("syncs_per_mb", 3, \.cost.syncs),
            .decimal("commits_per_mb", 3, \.cost.commits),
            .decimal("checkpoints_per_mb", 3, \.cost.checkpoints),
            .seconds("cpu_seconds_per_mb", \.cost.processorSeconds),
        ]
    }

    /// The columns of the first table for people, without losses where a program downloads nothing.
    static func overview(hasBytes: Bool) -> [Table.Column<PolicySummary>] {
        guard hasBytes else {
            return all.titled([
                "worker": "program", "iterations": "iterations", "violations": "violations",
                "inconclusive": "inconclusive", "recovery_seconds_median": "recovery median",
            ])
        }
        return all.titled([
            "policy": "policy", "iterations": "iterations", "violations": "violations",
            "inconclusive": "inconclusive", "loss_percent": "loss %",
            "allowed_loss_percent": "allowed %", "documented_loss_percent": "documented %",
            "lost_bytes_median": "lost median", "lost_bytes_p95": "lost p95",
            "lost_bytes_max": "lost max", "bound_bytes": "bound", "refetched_bytes": "refetched",
            "recovery_seconds_median": "recovery median",
        ])
    }

    /// What saving costs, beside what a kill loses; nil where no cost is known.
    static func costs(
        _ summaries: [PolicySummary], policy: String = "per MB received"
    ) -> Table? {
        guard summaries.contains(where: { $0.cost.writtenBytes != nil || $0.cost.writes != nil })
        else { return nil }
        return summaries.table(
            all.titled([
                "policy": policy, "lost_bytes_max": "lost max", "written_bytes_per_mb": "written",
                "writes_per_mb": "writes", "syncs_per_mb": "syncs", "commits_per_mb": "commits",
                "checkpoints_per_mb": "checkpoints", "cpu_seconds_per_mb": "processor time",
            ]))
    }
}
