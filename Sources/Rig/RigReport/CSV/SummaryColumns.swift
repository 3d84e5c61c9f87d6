import RigModel

/// The columns of `summary.csv` (spec 2), which `summary.json` has, too.
enum SummaryColumns {
    /// Names and values, in order.
    ///
    /// Medians and means of bytes have one decimal, percentages three, rates and seconds six.
    static func values(_ summary: PolicySummary) -> [(name: String, value: JSONValue)] {
        counts(summary) + loss(summary) + work(summary) + judged(summary) + cost(summary.cost)
    }

    private static func counts(_ summary: PolicySummary) -> [(name: String, value: JSONValue)] {
        [
            ("schema", .integer(PolicySummary.schema)),
            ("policy", .string(summary.policy)),
            ("worker", .string(summary.worker)),
            ("fault", .string(summary.fault)),
            ("iterations", .integer(summary.iterations)),
            ("kills", .integer(summary.kills)),
            ("passed", .integer(summary.passed)),
            ("failed", .integer(summary.failed)),
            ("inconclusive", .integer(summary.inconclusive)),
        ]
    }

    private static func loss(_ summary: PolicySummary) -> [(name: String, value: JSONValue)] {
        [
            ("received_bytes", .integer(summary.receivedBytes)),
            ("recovered_bytes", .integer(summary.recoveredBytes)),
            ("lost_bytes", .integer(summary.lostBytes)),
            ("loss_percent", .decimal(summary.lossPercent, 3)),
            ("documented_loss_percent", .string(summary.documentedLossPercent)),
            ("lost_bytes_median", .decimal(summary.lostBytesMedian, 1)),
            ("lost_bytes_p95", .decimal(summary.lostBytesP95, 0)),
            ("lost_bytes_p99", .decimal(summary.lostBytesP99, 0)),
            ("lost_bytes_max", .integer(summary.lostBytesMax)),
            ("bound_bytes", .integer(summary.boundBytes)),
            ("violations", .integer(summary.violations)),
            ("violation_rate_ucb95", .decimal(summary.violationRateUCB95, 6)),
            ("corrupt_bytes", .integer(summary.corruptBytes)),
        ]
    }

    private static func work(_ summary: PolicySummary) -> [(name: String, value: JSONValue)] {
        [
            ("refetched_bytes", .integer(summary.refetchedBytes)),
            ("commits_mean", .decimal(summary.commitsMean, 3)),
            ("commit_bytes_mean", .decimal(summary.commitBytesMean, 1)),
            ("recovery_seconds_median", .decimal(summary.recoverySecondsMedian, 6)),
            ("recovery_seconds_p99", .decimal(summary.recoverySecondsP99, 6)),
            ("phases_hit", .string(summary.phasesHit.map(\.rawValue).joined(separator: "|"))),
        ]
    }

    private static func cost(_ cost: CostPerMB) -> [(name: String, value: JSONValue)] {
        [
            ("written_bytes_per_mb", .decimal(cost.writtenBytes, 1)),
            ("writes_per_mb", .decimal(cost.writes, 3)),
            ("syncs_per_mb", .decimal(cost.syncs, 3)),
            ("commits_per_mb", .decimal(cost.commits, 3)),
            ("checkpoints_per_mb", .decimal(cost.checkpoints, 3)),
            ("cpu_seconds_per_mb", .decimal(cost.processorSeconds, 6)),
        ]
    }

    private static func judged(_ summary: PolicySummary) -> [(name: String, value: JSONValue)] {
        [
            ("allowed_loss_percent", .decimal(summary.allowedLossPercent, 3)),
            ("not_judged", .integer(summary.notJudged)),
            ("kept_nothing", .integer(summary.keptNothing)),
            ("attempts", .integer(summary.attempts)),
            ("kill_spread", .string(summary.killSpread)),
        ]
    }
}
