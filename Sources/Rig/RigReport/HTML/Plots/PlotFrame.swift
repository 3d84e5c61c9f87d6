import RigModel

struct PlotFrame {
    static let height = 236.0
    static let left = 58.0
    static let right = 334.0
    static let top = 36.0
    static let bottom = 194.0

    let x: PlotScale
    let y: PlotScale

    init(xMost: Double, yMost: Double, rootOfY: Bool = false) {
        x = PlotScale(most: max(xMost, .leastNonzeroMagnitude), from: Self.left, to: Self.right)
        y = PlotScale(
            most: max(yMost, .leastNonzeroMagnitude), from: Self.bottom, to: Self.top,
            isRoot: rootOfY)
    }

    func draw(
        on plot: inout Plot, xTicks: [PlotTicks.Tick], yTicks: [PlotTicks.Tick], xTitle: String,
        yTitle: String
    ) {
        let grid = yTicks.dropFirst().map { tick in
            "M\(SVG.place(Self.left, y(tick.value)))H\(SVG.number(Self.right))"
        }
        plot.draw(grid.joined(), style: "grid")
        for tick in yTicks {
            plot.write(tick.text, x: Self.left - 6, y: y(tick.value) + 4, anchor: .end)
        }
        Self.drawAxis(x, at: Self.bottom, ticks: xTicks, on: &plot)
        plot.write(xTitle, x: (Self.left + Self.right) / 2, y: Self.height - 8, style: "title")
        plot.write(yTitle, x: 0, y: 12, anchor: .start, style: "title")
    }

    static func drawAxis(
        _ x: PlotScale, at base: Double, ticks: [PlotTicks.Tick], on plot: inout Plot
    ) {
        let marks = ticks.map { "M\(SVG.place(x($0.value), base))v4" }
        plot.draw("M\(SVG.place(x.from, base))H\(SVG.number(x.to))" + marks.joined(), style: "axis")
        for tick in ticks { plot.write(tick.text, x: x(tick.value), y: base + 17) }
    }

    func mark(_ value: Double, _ text: String, style: String, on plot: inout Plot) {
        let place = x(value)
        plot.line(from: (place, Self.top - 6), to: (place, Self.bottom), style: style)
        let isLeft = place < (Self.left + Self.right) / 2
        plot.write(
            text, x: place + (isLeft ? -2 : 2), y: Self.top - 10, anchor: isLeft ? .start : .end,
            style: style)
    }
}

/// The share of a sample at or below each value, as a step function.
struct DistributionCurve {
    let values: [Double]

    init(_ values: [Double]) { self.values = values.sorted() }

    /// The paths up to a bound and beyond it: no step hides on which side of the bound a value is.
    func paths(_ frame: PlotFrame, bound: Double?) -> (within: String, beyond: String) {
        let kept = bound.map { limit in values.prefix { $0 <= limit } } ?? values[...]
        let others = values.dropFirst(kept.count)
        var height = 0.0
        var within = ""
        if !kept.isEmpty {
            within = steps(kept, from: &height, startingAt: 0, frame)
            if !others.isEmpty, let bound { within += "H\(SVG.number(frame.x(bound)))" }
        }
        guard !others.isEmpty, let bound else { return (within, "") }
        return (within, steps(others, from: &height, startingAt: bound, frame))
    }

    private func steps(
        _ part: ArraySlice<Double>, from height: inout Double, startingAt start: Double,
        _ frame: PlotFrame
    ) -> String {
        var path = "M\(SVG.place(frame.x(start), frame.y(height)))"
        var index = part.startIndex
        while index < part.endIndex {
            // All values within half a unit are one step, at the last of them.
            let column = (frame.x(part[index]) * 2).rounded(.down)
            var last = index
            while last + 1 < part.endIndex,
                (frame.x(part[last + 1]) * 2).rounded(.down) == column
            { last += 1 }
            height = Double(last + 1) / Double(values.count)
            path += "H\(SVG.number(frame.x(part[last])))V\(SVG.number(frame.y(height)))"
            index = last + 1
        }
        return path
    }

    /// A percentile by nearest rank: a value that occurred.
    func percentile(_ percent: Double) -> Double? {
        guard !values.isEmpty else { return nil }
        let rank = (percent / 100 * Double(values.count)).rounded(.up)
        return values[min(values.count, max(1, Int(rank))) - 1]
    }

    func table(_ caption: String, _ unit: String, _ text: (Double) -> String) -> Table {
        let shares: [(String, Double)] = [
            ("least", 0), ("10 %", 10), ("25 %", 25), ("50 %", 50), ("75 %", 75), ("90 %", 90),
            ("95 %", 95), ("99 %", 99), ("greatest", 100),
        ]
        return Table(
            "\(caption) (n \(values.count))", ["share of kills", unit],
            texts: shares.map { [$0.0, percentile($0.1).map(text) ?? Figure.notKnown] })
    }
}
