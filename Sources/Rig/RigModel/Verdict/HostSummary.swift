/// The results of one machine's rows: one that is worse does not show in a merged run's figures.
package struct HostSummary: Sendable, Hashable {
    package let host: String?
    package let parts: Int
    package let rows: Int
    package let inconclusive: Int
    package let violations: Int
    /// 100 × Σ lost ÷ Σ received over conclusive rows; nil when nothing was received.
    package let lossPercent: Double?
    /// Median recovery time of conclusive rows, in seconds; nil when no row has one.
    package let recoverySecondsMedian: Double?

    package init(
        host: String?, parts: Int, rows: Int, inconclusive: Int, violations: Int,
        lossPercent: Double?, recoverySecondsMedian: Double?
    ) {
        (self.host, self.parts, self.rows, self.inconclusive) = (host, parts, rows, inconclusive)
        (self.violations, self.lossPercent) = (violations, lossPercent)
        self.recoverySecondsMedian = recoverySecondsMedian
    }
}
