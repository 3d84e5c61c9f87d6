package import RigModel

/// `summary.csv`: one row per policy (spec 2).
///
/// `violation_rate_ucb95` is a fraction, with six decimals; the phases that were hit are joined by
/// `|`, in the order of a life.
package enum SummaryCSV {
    package static func text(_ policies: [PolicySummary]) -> String {
        policies.table(SummaryColumns.all).csv
    }
}
