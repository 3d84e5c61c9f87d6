import RigModel

struct ComparedSample {
    /// The values by which rows are ranked.
    let values: [Double]
    private let ratios: [(top: Double, bottom: Double)]
    private let metric: ComparedMetric

    init(_ rows: [IterationRow], _ metric: ComparedMetric) {
        self.metric = metric
        values = rows.compactMap { metric.value(of: $0) }
        ratios = rows.compactMap { metric.ratio(of: $0) }
    }

    var count: Int { values.count }

    var figure: SampleFigure {
        switch metric.kind {
        case .ratio: SampleFigure(.ratio, of: ratios.map(\.top), over: ratios.map(\.bottom))
        case .mean: SampleFigure(.mean, of: values)
        case .median: SampleFigure(.median, of: values)
        }
    }

    /// The figure's 95 % interval; nil without rows.
    func interval(resamples: Int) -> ConfidenceInterval? {
        switch metric.kind {
        case .ratio:
            Bootstrap.ratioInterval(
                ratios.map(\.top), over: ratios.map(\.bottom), resamples: resamples)
        case .mean: Bootstrap.meanInterval(values, resamples: resamples)
        case .median: SortedSample(values).percentileInterval(50)
        }
    }
}

extension ComparedMetric {
    /// The row's value; nil when it is unknown, or when a ratio's denominator is 0.
    func value(of row: IterationRow) -> Double? {
        switch self {
        case .lossPercent, .writtenPerMB, .writesPerMB, .processorSecondsPerMB:
            ratio(of: row).map { $0.top / $0.bottom }
        case .lostBytes: row.lostBytes.map(Double.init)
        case .refetchedBytes: row.refetchedBytes.map(Double.init)
        case .recoverySeconds: row.recoverySeconds
        case .resumeSeconds: row.resumeSeconds
        }
    }

    /// The row's numerator and denominator; nil for no ratio, an unknown one, or one over 0.
    func ratio(of row: IterationRow) -> (top: Double, bottom: Double)? {
        let top: Double? =
            switch self {
            case .lossPercent: row.lostBytes.map { 100 * Double($0) }
            case .writtenPerMB: row.writtenBytes.map(Double.init)
            case .writesPerMB: row.writes.map(Double.init)
            case .processorSecondsPerMB: row.processorSeconds
            case .lostBytes, .refetchedBytes, .recoverySeconds, .resumeSeconds: nil
            }
        let bottom =
            self == .lossPercent
            ? row.receivedBytes.map(Double.init) : row.launchBytes.map { Double($0) / 1_048_576 }
        guard let top, let bottom, bottom > 0 else { return nil }
        return (top, bottom)
    }
}
