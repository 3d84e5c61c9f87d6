import RigModel

/// One figure of a job, run by run, with its level and the places where that changes.
struct HistoryPlot {
    let series: HistorySeries
    let runs: [HistoryRun]
    let id: String

    /// Up to so many runs are drawn as points that can be told apart.
    private static let mostSeparate = 250

    private var isOfTime: Bool { series.metric.isOfTime }

    var plot: Plot {
        let place = series.machine.map { ", on \(PageText.clipped($0, bytes: 200))" } ?? ""
        var plot = Plot(id: id, title: titles.plot + place, description: sentence, table: table)
        let lastPlace = series.points.last?.place ?? 1
        plot.omit(
            lastPlace - series.points.count, "run",
            without: series.machine == nil ? "the figure" : "a figure of this machine")
        let most = max(series.points.map(\.value).max() ?? 0, isOfTime ? 0.000_1 : 0.01) * 1.08
        let frame = PlotFrame(xMost: Double(max(lastPlace, 2)), yMost: most)
        frame.draw(
            on: &plot, xTicks: Self.ticks(upTo: lastPlace),
            yTicks: isOfTime ? PlotTicks.seconds(upTo: most) : PlotTicks.percent(upTo: most),
            xTitle: "runs, oldest first", yTitle: titles.axis)
        drawPoints(in: frame, on: &plot)
        drawLevels(in: frame, on: &plot)
        return plot
    }

    private var titles: (plot: String, axis: String) {
        switch series.metric {
        case .lossPercent: ("Loss: lost ÷ received", "lost ÷ received")
        case .violationPercent: ("Violations: kills that failed", "share of kills")
        case .recoverySeconds: ("Recovery: median time after the relaunch", "recovery")
        case .leftOutPercent: ("Left out: kills that prove nothing", "share of kills")
        }
    }

    private static func ticks(upTo last: Int) -> [PlotTicks.Tick] {
        guard last > 1 else { return [PlotTicks.Tick(value: 1, text: "1")] }
        var step = 1
        for factor in [2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000]
        where last > step * 5 { step = factor }
        return stride(from: step, through: last, by: step).map {
            PlotTicks.Tick(value: Double($0), text: "\($0)")
        }
    }

    private func drawPoints(in frame: PlotFrame, on plot: inout Plot) {
        var path = ""
        var drawn = ""
        for point in series.points {
            let place = "M\(SVG.place(frame.x(Double(point.place)), frame.y(point.value)))h0"
            // Neighbours on the same place of the screen are one point.
            if place != drawn { path += place }
            drawn = place
        }
        plot.draw(
            path, style: series.points.count > Self.mostSeparate ? "dots runs many" : "dots runs")
    }

    private func drawLevels(in frame: PlotFrame, on plot: inout Plot) {
        for (index, change) in series.changes.enumerated() {
            let start = series.changes[..<index].last?.point ?? 0
            level(start..<change.point, change.before, in: frame, on: &plot)
            let end =
                index + 1 < series.changes.count
                ? series.changes[index + 1].point : series.points.count
            level(change.point..<end, change.after, in: frame, on: &plot)
        }
        var labelEnd = 0.0
        for change in series.changes {
            let point = series.points[change.point]
            let x = frame.x(Double(point.place) - 0.5)
            let style = change.isWorse ? "bound" : "gain"
            plot.line(from: (x, PlotFrame.top - 6), to: (x, PlotFrame.bottom), style: style)
            let text = "\(change.isWorse ? "▲" : "▼") \(point.place)"
            let width = Double(text.count) * 7
            // Labels that would cover each other are in the table.
            guard x - width / 2 > labelEnd else { continue }
            labelEnd = x + width / 2 + 4
            plot.write(text, x: x, y: PlotFrame.top - 10, style: style)
        }
    }

    private func level(
        _ part: Range<Int>, _ value: Double, in frame: PlotFrame, on plot: inout Plot
    ) {
        guard let first = part.first, let last = part.last else { return }
        plot.line(
            from: (frame.x(Double(series.points[first].place) - 0.5), frame.y(value)),
            to: (frame.x(Double(series.points[last].place) + 0.5), frame.y(value)), style: "level")
    }

    private var sentence: String {
        let text = series.metric.text
        guard let newest = series.points.last else { return "Not known for any run." }
        let state = "Newest \(text(newest.value)), of \(Figure.counted(series.points.count, "run"))"
        guard !series.changes.isEmpty else { return "\(state); no change is marked." }
        let changes = series.changes.map { change in
            "\(change.isWorse ? "up" : "down") from \(text(change.before)) to "
                + "\(text(change.after)) at run \(series.points[change.point].place)"
        }
        return "\(state); \(changes.suffix(3).joined(separator: ", "))."
    }

    private var table: Table {
        Table(
            "\(series.metric.title), \(series.policy), the newest runs",
            ["run", "started", "figure"], words: 2,
            texts: series.points.suffix(20).reversed().map { point in
                let run = runs[point.run]
                return [
                    "\(point.place)", HistoryTables.time(run.startedAt),
                    series.metric.text(point.value),
                ]
            })
    }
}
