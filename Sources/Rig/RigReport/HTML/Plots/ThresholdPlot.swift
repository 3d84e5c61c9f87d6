import Foundation
import RigModel

/// Loss against the commit threshold: one line per run, each point with its interval.
struct ThresholdPlot {
    let comparison: RunComparison

    private static let metric = ComparedMetric.lossPercent
    private static let title = "Threshold against loss"

    private typealias Point = (
        policy: ComparedPolicy, value: Double, interval: ConfidenceInterval?
    )

    /// How many runs have their own line style; further ones share the last style.
    private static let styles = 6

    static func style(_ run: Int) -> String { "run-\(min(run, styles - 1))" }

    static func mark(_ run: Int, x: Double, y: Double) -> String {
        let place = "M\(SVG.place(x, y))"
        return switch run % 4 {
        case 0: "\(place)m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"
        case 1: "\(place)m-4-4h8v8h-8z"
        case 2: "\(place)m0-5l5 8h-10z"
        default: "\(place)m0-5l5 5l-5 5l-5-5z"
        }
    }

    var plot: Plot {
        let lines = comparison.runs.map(points)
        let all = lines.flatMap { $0 }
        let unknown = comparison.runs.reduce(0) { $0 + $1.policies.count } - all.count
        var plot = Plot(
            id: "curve-\(Self.metric.rawValue)", title: Self.title,
            description: "\(Figure.counted(all.count, "point")), with 95 % intervals, of "
                + "\(Figure.counted(comparison.runs.count, "run")).",
            table: table)
        plot.omit(unknown, "policy", plural: "policies", without: "the figure")
        guard !all.isEmpty else { return plot }
        let most = max(all.map { max($0.value, $0.interval?.high ?? 0) }.max() ?? 0, 1e-6) * 1.06
        let frame = PlotFrame(xMost: 1, yMost: most, rootOfY: true)
        let places = places(all.map(\.policy))
        frame.draw(
            on: &plot, xTicks: Self.thinned(places, keeping: all.map(\.policy)),
            yTicks: Self.rootTicks(frame, upTo: most),
            xTitle: "commit threshold", yTitle: "lost ÷ received (square-root scale)")
        for (run, points) in lines.enumerated() {
            draw(points, of: run, at: places, in: frame, on: &plot)
        }
        writeLetters(lines, at: places, in: frame, on: &plot)
        return plot
    }

    private func points(_ run: ComparedRun) -> [Point] {
        run.policies.compactMap { policy in
            guard let figure = policy.figure(Self.metric), let value = figure.value, value.isFinite
            else { return nil }
            return (policy: policy, value: value, interval: figure.interval)
        }
        // A policy without commits is like a threshold that is never reached.
        .sorted { ($0.policy.thresholdBytes ?? .max) < ($1.policy.thresholdBytes ?? .max) }
    }

    /// The x positions, 0 to 1, by name: thresholds by their logarithm, `disabled` at the end.
    private func places(_ policies: [ComparedPolicy]) -> [String: Double] {
        let logs = policies.compactMap { $0.thresholdBytes }.filter { $0 > 0 }
            .map { log2(Double($0)) }
        let hasDisabled = policies.contains { $0.thresholdBytes == nil }
        let least = logs.min() ?? 0
        let span = (logs.max() ?? 0) - least
        // Leaves room between the last threshold and `disabled` for both labels.
        let room = (from: 0.08, to: hasDisabled ? 0.66 : 0.92)
        return policies.reduce(into: [:]) { places, policy in
            guard let threshold = policy.thresholdBytes, threshold > 0 else {
                places[policy.policy] = logs.isEmpty ? 0.5 : 0.92
                return
            }
            let part = span > 0 ? (log2(Double(threshold)) - least) / span : 0.5
            places[policy.policy] = room.from + part * (room.to - room.from)
        }
    }

    /// The labels that have room; first those whose place cannot be inferred from neighbours.
    private static func thinned(
        _ places: [String: Double], keeping policies: [ComparedPolicy]
    ) -> [PlotTicks.Tick] {
        let kept = Set(policies.lazy.filter { $0.thresholdBytes == nil }.map(\.policy))
        let names = places.sorted {
            (kept.contains($0.key) ? 0 : 1, $0.value, $0.key)
                < (kept.contains($1.key) ? 0 : 1, $1.value, $1.key)
        }
        var ticks: [PlotTicks.Tick] = []
        for (name, place) in names {
            let text = name.count > 12 ? "\(name.prefix(11))…" : name
            let hasRoom = ticks.allSatisfy { other in
                let width = 4.0 * Double(text.count + other.text.count) + 4
                return abs(place - other.value) * (PlotFrame.right - PlotFrame.left) > width
            }
            if hasRoom { ticks.append(PlotTicks.Tick(value: place, text: text)) }
        }
        return ticks
    }

    private static func rootTicks(_ frame: PlotFrame, upTo most: Double) -> [PlotTicks.Tick] {
        var ticks = [PlotTicks.Tick(value: 0, text: "0 %")]
        for value in [0.01, 0.1, 0.5, 1, 2, 5, 10, 25, 50, 100] where value <= most {
            let gap = frame.y(ticks[ticks.count - 1].value) - frame.y(value)
            guard gap >= 16 else { continue }
            let text = FixedPoint.text(value, decimals: value < 0.1 ? 2 : value < 1 ? 1 : 0)
            ticks.append(PlotTicks.Tick(value: value, text: "\(text) %"))
        }
        return ticks
    }

    private func draw(
        _ points: [Point], of run: Int, at places: [String: Double], in frame: PlotFrame,
        on plot: inout Plot
    ) {
        let style = Self.style(run)
        var line = ""
        for point in points where point.policy.thresholdBytes != nil {
            let x = x(point, at: places, of: run, in: frame)
            line += "\(line.isEmpty ? "M" : "L")\(SVG.place(x, frame.y(point.value)))"
        }
        plot.draw(line, style: "curve \(style)")
        for point in points {
            let x = x(point, at: places, of: run, in: frame)
            if let low = point.interval?.low, let high = point.interval?.high {
                plot.line(from: (x, frame.y(low)), to: (x, frame.y(high)), style: "span \(style)")
            }
            plot.draw(Self.mark(run, x: x, y: frame.y(point.value)), style: "point \(style)")
        }
    }

    /// Shifts the runs' points of one policy apart, so that they do not overlap.
    private func x(
        _ point: Point, at places: [String: Double], of run: Int, in frame: PlotFrame
    ) -> Double {
        let middle = Double(min(comparison.runs.count, Self.styles) - 1) / 2
        let shift = (Double(min(run, Self.styles - 1)) - middle) * (middle > 1 ? 6 : 10)
        return frame.x(places[point.policy.policy] ?? 0) + shift
    }

    /// Writes each run's letter to the right of all last points at its policy, below other letters.
    private func writeLetters(
        _ lines: [[Point]], at places: [String: Double], in frame: PlotFrame, on plot: inout Plot
    ) {
        guard lines.count > 1 else { return }
        let ends = lines.enumerated().compactMap { run, points in
            points.last.map { point in
                (
                    run: run, place: places[point.policy.policy] ?? 0,
                    x: x(point, at: places, of: run, in: frame), y: frame.y(point.value)
                )
            }
        }
        var taken: [(x: ClosedRange<Double>, y: Double)] = []
        for end in ends.sorted(by: { ($0.y, $0.run) < ($1.y, $1.run) }) {
            let text = ComparisonTables.letter(end.run)
            let left = (ends.filter { $0.place == end.place }.map(\.x).max() ?? end.x) + 9
            let extent = left...left + 8 * Double(text.count)
            var y = end.y + 4
            // Top to bottom, so that a letter moved down is checked against every letter below it.
            for other in taken.sorted(by: { $0.y < $1.y })
            where other.x.overlaps(extent) && abs(other.y - y) < 12 { y = other.y + 12 }
            taken.append((extent, y))
            plot.write(text, x: left, y: y, anchor: .start, style: "letter \(Self.style(end.run))")
        }
    }

    private var table: Table {
        Table(
            Self.title, ["run", "policy", "value", "95 % interval", "n"], words: 2,
            texts: comparison.runs.enumerated().flatMap { index, run in
                run.policies.map { policy in
                    let figure = policy.figure(Self.metric)
                    return [
                        ComparisonTables.letter(index), policy.policy,
                        figure?.value.map(Self.metric.text) ?? Figure.notKnown,
                        Figure.interval(figure?.interval, Self.metric.text),
                        figure.map { Figure.count($0.n) } ?? Figure.notKnown,
                    ]
                }
            })
    }
}
