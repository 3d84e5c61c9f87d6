import RigModel

/// The columns of `summary.csv` (spec 2), which `summary.json` has, too, and of which the tables for
/// people are choices.
///
/// Medians and means of bytes have one decimal, percentages three, rates and seconds six.
enum SummaryColumns {
    static var all: [Table.Column<PolicySummary>] {
        [
            .number("schema") { _ in .integer(PolicySummary.schema) },
            .text("policy") { .string($0.policy) }.clipped(200),
            .text("worker") { .string($0.worker) },
            .text("fault") { .string($0.fault) },
            .number("iterations") { .integer($0.iterations) },
            .number("kills") { .integer($0.kills) },
            .number("passed") { .integer($0.passed) },
            .number("failed") { .integer($0.failed) },
            .number("inconclusive") { .integer($0.inconclusive) },
            .number("received_bytes") { .size($0.receivedBytes) },
            .number("recovered_bytes") { .size($0.recoveredBytes) },
            .number("lost_bytes") { .size($0.lostBytes) },
            .number("loss_percent") { .percent($0.lossPercent) },
            .number("documented_loss_percent") { .string($0.documentedLossPercent) },
            .number("lost_bytes_median") { .bytes($0.lostBytesMedian, 1) },
            .number("lost_bytes_p95") { .bytes($0.lostBytesP95, 0) },
            .number("lost_bytes_p99") { .bytes($0.lostBytesP99, 0) },
            .number("lost_bytes_max") { .size($0.lostBytesMax) },
            .number("bound_bytes") { .size($0.boundBytes) }.absent("no limit"),
            .failures("violations") { $0.violations },
            .number("violation_rate_ucb95") { .rate($0.violationRateUCB95) },
            .number("corrupt_bytes") { .size($0.corruptBytes) },
            .number("refetched_bytes") { .size($0.refetchedBytes) },
            .number("commits_mean") { .decimal($0.commitsMean, 3) },
            .number("commit_bytes_mean") { .bytes($0.commitBytesMean, 1) },
            .number("recovery_seconds_median") { .seconds($0.recoverySecondsMedian) },
            .number("recovery_seconds_p99") { .seconds($0.recoverySecondsP99) },
            .text("phases_hit") { .string($0.phasesHit.map(\.rawValue).joined(separator: "|")) },
            .number("allowed_loss_percent") { .percent($0.allowedLossPercent) },
            .number("not_judged") { .integer($0.notJudged) },
            .number("kept_nothing") { .integer($0.keptNothing) },
            .number("attempts") { .integer($0.attempts) },
            .text("kill_spread") { .string($0.killSpread) },
            .number("written_bytes_per_mb") { .bytes($0.cost.writtenBytes, 1) },
            .number("writes_per_mb") { .decimal($0.cost.writes, 3) },
            .number("syncs_per_mb") { .decimal($0.cost.syncs, 3) },
            .number("commits_per_mb") { .decimal($0.cost.commits, 3) },
            .number("checkpoints_per_mb") { .decimal($0.cost.checkpoints, 3) },
            .number("cpu_seconds_per_mb") { .seconds($0.cost.processorSeconds) },
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
