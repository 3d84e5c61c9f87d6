import RigModel

/// The known values of a metric in some rows.
struct ComparedSample {
    /// The values by which rows are ranked.
    private(set) var values: [Double] = []
    /// For a ratio of sums: the numerators and denominators.
    private(set) var tops: [Double] = []
    private(set) var bottoms: [Double] = []
    private let metric: ComparedMetric

    /// The values of the rows that have one.
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
        guard metric == .lossPercent else { return }
        tops.append(100 * Double(row.lostBytes ?? 0))
        bottoms.append(Double(row.receivedBytes ?? 0))
    }

    /// The figure that represents the rows.
    var figure: SampleFigure {
        switch metric {
        case .lossPercent: SampleFigure(.ratio, of: tops, over: bottoms)
        case .lostBytes, .refetchedBytes: SampleFigure(.mean, of: values)
        case .recoverySeconds, .resumeSeconds: SampleFigure(.median, of: values)
        }
    }

    /// The figure's 95 % interval; nil without rows.
    func interval(resamples: Int) -> ConfidenceInterval? {
        switch metric {
        case .lossPercent: Bootstrap.ratioInterval(tops, over: bottoms, resamples: resamples)
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
        case .lossPercent:
            guard let lost = row.lostBytes, let received = row.receivedBytes, received > 0 else {
                return nil
            }
            return 100 * Double(lost) / Double(received)
        case .lostBytes: return row.lostBytes.map(Double.init)
        case .refetchedBytes: return row.refetchedBytes.map(Double.init)
        case .recoverySeconds: return row.recoverySeconds
        case .resumeSeconds: return row.resumeSeconds
        }
    }
}
