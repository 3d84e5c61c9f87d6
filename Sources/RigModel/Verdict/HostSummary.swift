/// What the rows of one machine show, of a run that was merged from parts of several.
///
/// A machine that loses more than the others, or recovers more slowly, is seen here and not in the
/// figures of the whole.
package struct HostSummary: Sendable, Hashable {
    /// The machine's name; nil where it is not known.
    package let host: String?
    /// The parts that it carried out.
    package let parts: Int
    /// Rows, inconclusive ones included.
    package let rows: Int
    /// Rows that prove nothing.
    package let inconclusive: Int
    /// Rows that break a promise.
    package let violations: Int
    /// 100 × Σ lost ÷ Σ received over conclusive rows; nil where nothing was received.
    package let lossPercent: Double?
    /// Median of the recovery time of conclusive rows, in seconds; nil where none knows it.
    package let recoverySecondsMedian: Double?

    /// A machine's figures.
    package init(
        host: String?, parts: Int, rows: Int, inconclusive: Int, violations: Int,
        lossPercent: Double?, recoverySecondsMedian: Double?
    ) {
        self.host = host
        self.parts = parts
        self.rows = rows
        self.inconclusive = inconclusive
        self.violations = violations
        self.lossPercent = lossPercent
        self.recoverySecondsMedian = recoverySecondsMedian
    }
}
