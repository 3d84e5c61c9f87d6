import RigModel

struct ComparedSample {
    /// The values by which rows are ranked.
    private(set) var values: [Double] = []
    /// For a ratio of sums: the numerators and denominators.
    private(set) var tops: [Double] = []
    private(set) var bottoms: [Double] = []
    private let metric: ComparedMetric

    init(_ rows: [IterationRow], _ metric: ComparedMetric) {
        self.metric = metric
        for row in rows { append(row) }
    }

    /// The values of the pairs in which both rows have one.
    static func pairs(
        _ base: [IterationRow], _ other: [IterationRow], _ metric: ComparedMetric
    ) -> (base: ComparedSample, other: ComparedSample) {
        var first = ComparedSample([], metric)
        var second = ComparedSample([], metric)
        for (row, partner) in zip(base, other)
        where metric.value(of: row) != nil && metric.value(of: partner) != nil {
            first.append(row)
            second.append(partner)
        }
        return (first, second)
    }

    var count: Int { values.count }

    private mutating func append(_ row: IterationRow) {
        guard let value = metric.value(of: row) else { return }
        values.append(value)
        guard let ratio = metric.ratio(of: row) else { return }
        tops.append(ratio.top)
        bottoms.append(ratio.bottom)
    }

    var figure: SampleFigure {
        switch metric {
        case .lossPercent, .writtenPerMB, .writesPerMB, .processorSecondsPerMB:
            SampleFigure(.ratio, of: tops, over: bottoms)
        case .lostBytes, .refetchedBytes: SampleFigure(.mean, of: values)
        case .recoverySeconds, .resumeSeconds: SampleFigure(.median, of: values)
        }
    }

    /// The figure's 95 % interval; nil without rows.
    func interval(resamples: Int) -> ConfidenceInterval? {
        switch metric {
        case .lossPercent, .writtenPerMB, .writesPerMB, .processorSecondsPerMB:
            Bootstrap.ratioInterval(tops, over: bottoms, resamples: resamples)
        case .lostBytes, .refetchedBytes: Bootstrap.meanInterval(values, resamples: resamples)
        case .recoverySeconds, .resumeSeconds:
            SortedSample(values).percentileInterval(50)
        }
    }
}

extension ComparedMetric {
    /// The row's value; nil when it is unknown, or when a ratio's denominator is 0.
    func value(of row: IterationRow) -> Double? {
        switch self {
        case .lossPercent, .writtenPerMB, .writesPerMB, .processorSecondsPerMB:
            return ratio(of: row).map { $0.top / $0.bottom }
        case .lostBytes: return row.lostBytes.map(Double.init)
        case .refetchedBytes: return row.refetchedBytes.map(Double.init)
        case .recoverySeconds: return row.recoverySeconds
        case .resumeSeconds: return row.resumeSeconds
        }
    }

    /// The row's numerator and denominator; nil for a metric that is no ratio, where one of them is
    /// unknown, and for a denominator of 0.
    func ratio(of row: IterationRow) -> (top: Double, bottom: Double)? {
        let top: Double?
        switch self {
        case .lossPercent: top = row.lostBytes.map { 100 * Double($0) }
        case .writtenPerMB: top = row.writtenBytes.map(Double.init)
        case .writesPerMB: top = row.writes.map(Double.init)
        case .processorSecondsPerMB: top = row.processorSeconds
        case .lostBytes, .refetchedBytes, .recoverySeconds, .resumeSeconds: top = nil
        }
        let bottom =
            self == .lossPercent
            ? row.receivedBytes.map(Double.init) : row.launchBytes.map { Double($0) / 1_048_576 }
        guard let top, let bottom, bottom > 0 else { return nil }
        return (top, bottom)
    }
}
