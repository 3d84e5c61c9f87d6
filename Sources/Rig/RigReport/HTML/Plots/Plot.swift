import RigModel

/// A plot as inline SVG, about as wide as a phone, with its figures in words and as a table.
struct Plot {
    static let width = 360.0

    enum Anchor: String { case start, middle, end }

    let id: String
    let title: String
    let description: String
    var height = PlotFrame.height
    let table: Table
    private(set) var omission = ""
    private(set) var rects: [Fields] = []
    private(set) var paths: [Fields] = []
    private(set) var labels: [Fields] = []

    mutating func draw(_ path: String, style: String) {
        guard !path.isEmpty else { return }
        paths.append(Fields(["d": path, "style": style]))
    }

    mutating func line(from: (x: Double, y: Double), to: (x: Double, y: Double), style: String) {
        draw("M\(SVG.place(from.x, from.y))L\(SVG.place(to.x, to.y))", style: style)
    }

    /// Fills a rectangle, under all paths.
    mutating func fill(x: ClosedRange<Double>, y: ClosedRange<Double>, style: String) {
        rects.append(
            Fields([
                "x": SVG.number(x.lowerBound), "y": SVG.number(y.lowerBound),
                "width": SVG.number(x.upperBound - x.lowerBound),
                "height": SVG.number(y.upperBound - y.lowerBound), "style": style,
            ]))
    }

    mutating func write(
        _ text: String, x: Double, y: Double, anchor: Anchor = .middle, style: String = ""
    ) {
        labels.append(
            Fields([
                "text": text, "x": SVG.number(x), "y": SVG.number(y), "anchor": anchor.rawValue,
                "style": style,
            ]))
    }

    mutating func omit(_ count: Int, _ noun: String, plural: String? = nil, without what: String) {
        guard count > 0 else { return }
        let nouns = count == 1 ? noun : plural ?? "\(noun)s"
        omission = "Not drawn: \(Figure.count(count)) \(nouns) without \(what)."
    }

    var fields: Fields {
        Fields([
            "id": id, "title": title, "description": description,
            "width": SVG.number(Self.width), "height": SVG.number(height), "rects": rects,
            "paths": paths, "labels": labels, "omission": omission, "omits": !omission.isEmpty,
            "table": table.fields,
        ])
    }
}

struct PlotScale {
    /// The greatest value; the least is 0.
    let most: Double
    let from: Double
    let to: Double
    /// True for a square-root scale: small values stay distinguishable, and 0 has a place.
    var isRoot = false

    /// The coordinate of a value; one outside the range is put at the end.
    func callAsFunction(_ value: Double) -> Double {
        guard most > 0 else { return from }
        let part = min(1, max(0, value / most))
        return from + (to - from) * (isRoot ? part.squareRoot() : part)
    }
}

enum PlotTicks {
    struct Tick {
        let value: Double
        let text: String
    }

    /// Ticks from 0, at powers of two, like thresholds; above each other texts may be long.
    static func bytes(upTo most: Double, upright: Bool = false) -> [Tick] {
        let choices = [6.0, 5, 4].map { count in
            var step = 1.0
            while step * count < most { step *= 2 }
            return ticks(step: step, upTo: most).map {
                Tick(value: $0, text: $0 > 0 ? VerdictFigure.size($0, decimals: 2) : "0")
            }
        }
        // 27 characters fit side by side on a phone.
        let fitting = choices.first { upright || $0.map(\.text.count).reduce(0, +) <= 27 }
        return fitting ?? choices[2]
    }

    static func seconds(upTo most: Double) -> [Tick] {
        let inMilliseconds = most < 1
        return ticks(step: decimalStep(most), upTo: most).map { value in
            let shown = inMilliseconds ? value * 1000 : value
            let unit = inMilliseconds ? "ms" : "s"
            return Tick(value: value, text: "\(Figure.trimmed(shown)) \(unit)")
        }
    }

    static func percent(upTo most: Double) -> [Tick] {
        ticks(step: decimalStep(most), upTo: most).map {
            Tick(value: $0, text: "\(Figure.trimmed($0)) %")
        }
    }

    private static func ticks(step: Double, upTo most: Double) -> [Double] {
        guard step > 0, most.isFinite else { return [0] }
        // Tolerates a tick that rounding has put slightly beyond the end.
        return (0...12).map { Double($0) * step }.filter { $0 <= most * 1.000_001 }
    }

    /// 1, 2 or 5 times a power of ten, which gives three to six ticks.
    private static func decimalStep(_ most: Double) -> Double {
        guard most > 0, most.isFinite else { return 1 }
        var power = 1.0
        while power > most / 2 { power /= 10 }
        while power * 10 <= most / 2 { power *= 10 }
        return [1.0, 2, 5].map { $0 * power }.first { most / $0 <= 5 } ?? power * 5
    }
}
