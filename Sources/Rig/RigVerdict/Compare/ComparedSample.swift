import RigModel

struct ComparedSample {
    /// The values by which rows are ranked.
    let values: [Double]
    let figure: SampleFigure

    init(_ rows: [IterationRow], _ metric: ComparedMetric) {
        values = rows.compactMap { metric.value(of: $0) }
        switch metric.facts.kind {
        case .ratio:
            let ratios = rows.compactMap { metric.ratio(of: $0) }
            figure = SampleFigure(.ratio, of: ratios.map(\.top), over: ratios.map(\.bottom))
        case .mean: figure = SampleFigure(.mean, of: values)
        case .median: figure = SampleFigure(.median, of: values)
        }
    }

    var count: Int { values.count }
}

extension ComparedMetric {
    /// The row's value; nil when it is unknown, or when a ratio's denominator is 0.
    func value(of row: IterationRow) -> Double? {
        facts.kind == .ratio ? ratio(of: row).map { $0.top / $0.bottom } : facts.top(row)
    }

    /// The row's numerator and denominator; nil for no ratio, an unknown one, or one over 0.
    func ratio(of row: IterationRow) -> (top: Double, bottom: Double)? {
        let bottom =
            facts.isOfCost
            ? row.launchBytes.map { Double($0) / 1_048_576 } : row.receivedBytes.map(Double.init)
        guard facts.kind == .ratio, let top = facts.top(row), let bottom, bottom > 0 else {
            return nil
        }
        return (top, bottom)
    }
}
