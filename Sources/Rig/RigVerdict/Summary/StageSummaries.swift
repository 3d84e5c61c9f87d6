package import RigModel

extension RunTimings {
    /// Each stage that occurred, in their order, and then work done in parallel, without a share.
    package var summaries: [StageSummary] {
        let whole = iterations.reduce(0) { $0 + $1.total }
        let stages = IterationStage.allCases.compactMap { stage in
            Self.summary(stage.rawValue, iterations.compactMap { $0.seconds(stage) }, of: whole)
        }
        let besides = OverlappedWork.allCases.compactMap { work in
            Self.summary(
                "\(work.rawValue)_beside", iterations.compactMap { $0.seconds(beside: work) })
        }
        return stages + besides
    }

    package var whole: StageSummary? {
        let totals = iterations.map(\.total)
        return Self.summary("total", totals, of: totals.reduce(0, +))
    }

    private static func summary(
        _ name: String, _ seconds: [Double], of whole: Double? = nil
    ) -> StageSummary? {
        let sample = SortedSample(seconds)
        guard let median = sample.median, let p90 = sample.percentile(90), let max = sample.max
        else { return nil }
        let total = seconds.reduce(0, +)
        return StageSummary(
            name: name, total: total, share: whole.flatMap { $0 > 0 ? total / $0 : nil },
            median: median, p90: p90, max: max)
    }
}
