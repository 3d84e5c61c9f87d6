import RigModel

enum LossStrip {
    private static let height = 126.0
    private static let left = 88.0
    private static let base = 86.0

    static func plot(_ summary: PolicySummary, id: String) -> Plot {
        let documented = summary.documentedLossPercent.flatMap(range)
        let interval = summary.lossPercentInterval
        let measured = summary.lossPercent.map {
            "\(Figure.percent($0)) of what was received was lost, 95 % interval "
                + Figure.percentInterval(interval)
        }
        let promise = summary.documentedLossPercent.map { "; the documents say \($0) %." }
        var plot = Plot(
            id: "\(id)-loss", title: "Loss in percent of what was received",
            description: (measured ?? "Not known for any kill")
                + (promise ?? "; the documents say nothing of this policy."),
            height: height, table: table(summary))
        let most =
            max(summary.lossPercent ?? 0, interval?.high ?? 0, documented?.upperBound ?? 0, 0.01)
            * 1.12
        let x = PlotScale(most: most > 89 ? 104 : most, from: left, to: PlotFrame.right)
        let ticks = PlotTicks.percent(upTo: x.most)
        PlotFrame.drawAxis(x, at: base, ticks: ticks, on: &plot)
        plot.write(
            "lost ÷ received", x: (left + PlotFrame.right) / 2, y: height - 6, style: "title")
        if let documented {
            let start = x(documented.lowerBound)
            plot.fill(
                x: start...max(start + 2, x(documented.upperBound)), y: 22...38, style: "promised")
        } else {
            plot.write("nothing", x: left + 4, y: 34, anchor: .start)
        }
        plot.write("documented", x: left - 8, y: 34, anchor: .end)
        plot.write("measured", x: left - 8, y: 66, anchor: .end)
        drawMeasured(summary, x, on: &plot)
        return plot
    }

    private static func drawMeasured(
        _ summary: PolicySummary, _ x: PlotScale, on plot: inout Plot
    ) {
        let y = 62.0
        if let low = summary.lossPercentInterval?.low, let high = summary.lossPercentInterval?.high
        {
            plot.line(from: (x(low), y), to: (x(high), y), style: "interval")
            plot.line(from: (x(low), y - 5), to: (x(low), y + 5), style: "interval")
            plot.line(from: (x(high), y - 5), to: (x(high), y + 5), style: "interval")
        }
        if let percent = summary.lossPercent {
            plot.draw("M\(SVG.place(x(percent), y))h0", style: "estimate")
            // One dot would look like one kill.
            if percent == 100, summary.conclusive > 1 {
                plot.write(
                    "all of \(Figure.count(summary.conclusive)) kills", x: x(percent) - 10,
                    y: y + 4, anchor: .end, style: "halo")
            }
        } else {
            plot.write(Figure.notKnown, x: left + 4, y: y + 4, anchor: .start)
        }
    }

    private static func table(_ summary: PolicySummary) -> Table {
        Table(
            "Loss, \(summary.policy)", ["figure", "value"],
            texts: [
                ["measured", Figure.percent(summary.lossPercent)],
                ["95 % interval", Figure.percentInterval(summary.lossPercentInterval)],
                ["documented", summary.documentedLossPercent.map { "\($0) %" } ?? "nothing"],
                ["received", Figure.bytes(summary.receivedBytes)],
                ["lost", Figure.bytes(summary.lostBytes)],
            ])
    }

    private static func range(_ text: String) -> ClosedRange<Double>? {
        let ends = text.split(separator: "-").compactMap { Double($0) }
        guard let low = ends.first, let high = ends.last, low <= high else { return nil }
        return low...high
    }
}

enum RecoveryPlot {
    static func plot(_ rows: [IterationRow], _ summary: PolicySummary, id: String) -> Plot {
        let curve = DistributionCurve(rows.compactMap(\.recoverySeconds))
        let n = curve.values.count
        var plot = Plot(
            id: "\(id)-recovery", title: "Recovery: share of kills recovered within so long",
            description: n == 0
                ? "Not known for any kill."
                : "Median \(Figure.seconds(summary.recoverySecondsMedian)), 99th percentile "
                    + "\(Figure.seconds(summary.recoverySecondsP99)), greatest "
                    + "\(Figure.seconds(curve.values.last)) (n \(Figure.count(n))).",
            table: curve.table(
                "Recovery time, \(summary.policy)", "time", MetricUnit.readableSeconds))
        plot.omit(rows.count - n, "conclusive row", without: "the time")
        guard let greatest = curve.values.last else { return plot }
        let most = max(greatest, 0.000_1) * 1.04
        let frame = PlotFrame(xMost: most, yMost: 1)
        frame.draw(
            on: &plot, xTicks: PlotTicks.seconds(upTo: most), yTicks: LossPlots.shares,
            xTitle: "from relaunch to recovered", yTitle: "share of kills")
        plot.draw(curve.paths(frame, bound: nil).within, style: "curve")
        return plot
    }
}
