import RigModel

struct LossPlots {
    let summary: PolicySummary
    let rows: [IterationRow]
    let id: String
    let videoLength: Int64
    /// The smallest distance at which two points are distinguishable, in units of the drawing.
    let grain: Double

    private var bound: Double? { summary.boundBytes.map(Double.init) }

    var distribution: Plot {
        let curve = DistributionCurve(rows.compactMap { $0.lostBytes.map(Double.init) })
        let beyond = bound.map { limit in curve.values.count { $0 > limit } }
        var plot = Plot(
            id: "\(id)-lost", title: "Lost bytes: share of kills that lost at most so much",
            description: Self.sentence(summary, n: curve.values.count, beyond: beyond),
            table: curve.table("Lost bytes, \(summary.policy)", "lost", MetricUnit.readableBytes))
        plot.omit(rows.count - curve.values.count, "conclusive row", without: "what they lost")
        let most = max(curve.values.last ?? 0, bound ?? 0, 1) * 1.04
        let frame = PlotFrame(xMost: most, yMost: 1)
        frame.draw(
            on: &plot, xTicks: PlotTicks.bytes(upTo: most), yTicks: Self.shares,
            xTitle: "bytes lost by a kill", yTitle: "share of kills")
        let paths = curve.paths(frame, bound: bound)
        if let bound {
            frame.mark(bound, "bound \(MetricUnit.readableBytes(bound))", style: "bound", on: &plot)
        }
        plot.draw(paths.within, style: "curve")
        plot.draw(paths.beyond, style: "curve beyond")
        return plot
    }

    private static func sentence(_ summary: PolicySummary, n: Int, beyond: Int?) -> String {
        guard n > 0 else { return "What was lost is unknown for every conclusive kill." }
        let median = Figure.bytes(summary.lostBytesMedian)
        let most = Figure.bytes(summary.lostBytesMax)
        let ending =
            beyond.map { beyond in
                let bound = Figure.bytes(summary.boundBytes)
                return beyond == 0
                    ? "none of \(Figure.counted(n, "kill")) lost more than the bound of \(bound)"
                    : "\(Figure.count(beyond)) of \(Figure.counted(n, "kill")) lost more than "
                        + "the bound of \(bound)"
            } ?? "nothing is promised (n \(Figure.count(n)))"
        return "Median \(median), greatest \(most); \(ending)."
    }

    static let shares = [0, 25, 50, 75, 100].map {
        PlotTicks.Tick(value: Double($0) / 100, text: "\($0) %")
    }

    private typealias Point = (position: Double, lost: Double, failed: Bool)

    private var points: [Point] {
        rows.compactMap { row in
            guard let lost = row.lostBytes else { return nil }
            let planned = row.trigger == TriggerKind.bytes.rawValue ? Double(row.planned) : nil
            guard let position = row.receivedBytes.map(Double.init) ?? planned, position.isFinite
            else { return nil }
            return (position: position, lost: Double(lost), failed: row.verdict == .fail)
        }
    }

    var scatter: Plot {
        let points = points
        var plot = Plot(
            id: "\(id)-where", title: "Where the kill landed, and what it lost",
            description: "\(Figure.counted(points.count, "kill")), of which "
                + "\(Figure.count(points.count(where: \.failed))) failed (crosses).",
            table: Self.table(points, summary.policy))
        plot.omit(
            rows.count - points.count, "conclusive row", without: "the position or what was lost")
        let xMost = max(points.map(\.position).max() ?? 0, Double(videoLength), 1) * 1.001
        let yMost = max(points.map(\.lost).max() ?? 0, bound ?? 0, 1) * 1.08
        let frame = PlotFrame(xMost: xMost, yMost: yMost)
        frame.draw(
            on: &plot, xTicks: PlotTicks.bytes(upTo: xMost),
            yTicks: PlotTicks.bytes(upTo: yMost, upright: true),
            xTitle: "bytes received at the kill", yTitle: "bytes lost")
        let passed = places(points.filter { !$0.failed }, frame)
        let failed = places(points.filter(\.failed), frame)
        plot.draw(passed.map { "\($0.start)h0" }.joined(), style: "dots")
        plot.draw(failed.map { "\($0.start)m-2-2l4 4m0-4l-4 4" }.joined(), style: "crosses")
        label(passed + failed, on: &plot)
        if let bound {
            let place = frame.y(bound)
            plot.line(from: (PlotFrame.left, place), to: (PlotFrame.right, place), style: "bound")
            plot.write(
                "bound \(MetricUnit.readableBytes(bound))", x: PlotFrame.right, y: place - 5,
                anchor: .end, style: "bound halo")
        }
        return plot
    }

    private struct Place {
        let x: Double
        let y: Double
        var count = 1

        var start: String { "M\(SVG.place(x, y))" }
    }

    private func places(_ points: [Point], _ frame: PlotFrame) -> [Place] {
        func rounded(_ value: Double) -> Double { (value / grain).rounded() * grain }
        var places: [Place] = []
        var known: [String: Int] = [:]
        for point in points {
            let place = Place(x: rounded(frame.x(point.position)), y: rounded(frame.y(point.lost)))
            if let index = known[place.start] {
                places[index].count += 1
            } else {
                known[place.start] = places.count
                places.append(place)
            }
        }
        return places
    }

    /// More places than that would cover each other's labels.
    private static let mostLabelled = 12

    /// Says how many kills a mark stands for: eight total losses look like one otherwise.
    private func label(_ places: [Place], on plot: inout Plot) {
        guard places.count <= Self.mostLabelled else { return }
        for place in places where place.count > 1 {
            let isAtEnd = place.x > (PlotFrame.left + PlotFrame.right) / 2
            plot.write(
                "×\(place.count)", x: place.x + (isAtEnd ? -6 : 6), y: place.y - 5,
                anchor: isAtEnd ? .end : .start, style: "halo")
        }
    }

    private static func table(_ points: [Point], _ policy: String) -> Table {
        let most = points.map(\.position).max() ?? 0
        let groups = Dictionary(grouping: points) { point in
            most > 0 ? min(9, Int(point.position / most * 10)) : 0
        }
        return Table(
            "Lost bytes by position of the kill, \(policy)",
            ["received", "kills", "failed", "median lost", "most lost"],
            texts: groups.sorted { $0.key < $1.key }.map { tenth, points in
                let lost = DistributionCurve(points.map(\.lost))
                let from = MetricUnit.readableBytes(most * Double(tenth) / 10)
                let to = MetricUnit.readableBytes(most * Double(tenth + 1) / 10)
                return [
                    "\(from) to \(to)", Figure.count(points.count),
                    Figure.count(points.count(where: \.failed)),
                    Figure.bytes(lost.percentile(50)), Figure.bytes(lost.values.last),
                ]
            })
    }
}
