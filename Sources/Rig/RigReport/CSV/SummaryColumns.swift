import RigModel

/// A value in a report, independent of the output format.
enum ReportValue: Sendable, Hashable {
    case missing
    case text(String)
    case integer(Int64)
    /// A number and how many decimals it is written with.
    case decimal(Double, Int)
    /// A value from 0 to 1; only 0 is written as 0, however small the value.
    case probability(Double)

    static func integer(_ value: Int) -> ReportValue { .integer(Int64(value)) }

    static func integer(_ value: Int64?) -> ReportValue {
        value.map { .integer($0) } ?? .missing
    }

    static func decimal(_ value: Double?, _ decimals: Int) -> ReportValue {
        value.map { .decimal($0, decimals) } ?? .missing
    }

    /// The value in a CSV field; empty when unknown.
    var field: String {
        switch self {
        case .missing: ""
        case .text(let text): text
        case .integer(let value): String(value)
        case .decimal(let value, let decimals): FixedPoint.text(value, decimals: decimals)
        case .probability(let value): ProbabilityText.text(value)
        }
    }
}

/// The columns of `summary.csv` (spec 2), which `summary.json` has, too.
enum SummaryColumns {
    /// Names and values, in order.
    ///
    /// Medians and means of bytes have one decimal, percentages three, rates and seconds six.
    static func values(_ summary: PolicySummary) -> [(name: String, value: ReportValue)] {
        counts(summary) + loss(summary) + work(summary) + judged(summary)
    }

    private static func counts(_ summary: PolicySummary) -> [(name: String, value: ReportValue)] {
        [
            ("schema", .integer(PolicySummary.schema)),
            ("policy", .text(summary.policy)),
            ("worker", .text(summary.worker)),
            ("fault", .text(summary.fault)),
            ("iterations", .integer(summary.iterations)),
            ("kills", .integer(summary.kills)),
            ("passed", .integer(summary.passed)),
            ("failed", .integer(summary.failed)),
            ("inconclusive", .integer(summary.inconclusive)),
        ]
    }

    private static func loss(_ summary: PolicySummary) -> [(name: String, value: ReportValue)] {
        [
            ("received_bytes", .integer(summary.receivedBytes)),
            ("recovered_bytes", .integer(summary.recoveredBytes)),
            ("lost_bytes", .integer(summary.lostBytes)),
            ("loss_percent", .decimal(summary.lossPercent, 3)),
            (
                "documented_loss_percent",
                summary.documentedLossPercent.map { .text($0) } ?? .missing
            ),
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

    private static func work(_ summary: PolicySummary) -> [(name: String, value: ReportValue)] {
        [
            ("refetched_bytes", .integer(summary.refetchedBytes)),
            ("commits_mean", .decimal(summary.commitsMean, 3)),
            ("commit_bytes_mean", .decimal(summary.commitBytesMean, 1)),
            ("recovery_seconds_median", .decimal(summary.recoverySecondsMedian, 6)),
            ("recovery_seconds_p99", .decimal(summary.recoverySecondsP99, 6)),
            ("phases_hit", .text(summary.phasesHit.map(\.rawValue).joined(separator: "|"))),
        ]
    }

    private static func judged(_ summary: PolicySummary) -> [(name: String, value: ReportValue)] {
        [
            ("allowed_loss_percent", .decimal(summary.allowedLossPercent, 3)),
            ("not_judged", .integer(summary.notJudged)),
            ("kept_nothing", .integer(summary.keptNothing)),
            ("attempts", .integer(summary.attempts)),
            ("kill_spread", summary.killSpread.map { .text($0) } ?? .missing),
        ]
    }
}
