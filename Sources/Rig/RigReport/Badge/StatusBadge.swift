package import RigModel

/// A badge: what the newest run of each job came to, in a word or two.
package struct StatusBadge: Sendable, Hashable {
    package let label: String
    package let message: String
    let color: Color

    /// A colour by its name in shields.io's scheme, with its value there.
    enum Color: String { case brightgreen, red, yellow, lightgrey }

    package init(of runs: [HistoryRun], label: String) {
        let newest = Dictionary(runs.map { ($0.job, $0) }) { known, run in
            known.startedAt > run.startedAt ? known : run
        }
        self.label = label
        let all = Array(newest.values)
        let failed = all.count { $0.status != .success && $0.status != .inconclusive }
        let undecided = all.count { $0.status == .inconclusive }
        guard let first = all.first else {
            (message, color) = ("no runs", .lightgrey)
            return
        }
        let isOne = all.count == 1
        if failed > 0 {
            color = .red
            message = isOne ? Self.failure(first) : "\(failed) of \(all.count) jobs fail"
        } else if undecided > 0 {
            color = .yellow
            message = isOne ? "undecided" : "\(undecided) of \(all.count) jobs undecided"
        } else {
            let kills = all.flatMap(\.policies).reduce(0) { $0 + $1.rows - $1.leftOut }
            (message, color) = ("survived \(kills.counted("kill"))", .brightgreen)
        }
    }

    private static func failure(_ run: HistoryRun) -> String {
        let violations = run.policies.reduce(0) { $0 + $1.violations }
        guard violations > 0 else { return "fails" }
        let kills = run.policies.reduce(0) { $0 + $1.decided }
        return "\(violations) of \(kills.counted("kill")) failed"
    }

    /// JSON of shields.io's endpoint (schema version 1: https://shields.io/badges/endpoint-badge).
    package var json: String {
        JSONValue([
            "schemaVersion": 1, "label": label, "message": message, "color": color.rawValue,
        ]).document
    }
}

extension StatusBadge {
    private var ink: String {
        switch color {
        // Dark enough for white text: a contrast of at least 4.5.
        case .brightgreen: "#2f7a34"
        case .red: "#b3322c"
        case .yellow: "#86630b"
        case .lightgrey: "#666666"
        }
    }

    package var svg: String {
        let left = Self.width(label) + 10
        let right = Self.width(message) + 10
        let name = "\(label): \(message)"
        func text(_ words: String, from: Double, width: Double) -> XMLTag {
            let attributes: [(String, String?)] = [
                ("x", SVG.number(from + width / 2)), ("y", "14"),
                ("textLength", SVG.number(width - 10)), ("lengthAdjust", "spacingAndGlyphs"),
            ]
            return XMLTag("text", attributes, .text(words))
        }
        func part(from: Double, width: Double, _ fill: String) -> XMLTag {
            XMLTag(
                "rect",
                [
                    ("x", SVG.number(from)), ("width", SVG.number(width)),
                    ("height", "20"), ("fill", fill),
                ])
        }
        let font: [(String, String?)] = [
            ("fill", "#ffffff"), ("text-anchor", "middle"),
            ("font-family", "Verdana,Geneva,DejaVu Sans,sans-serif"), ("font-size", "11"),
        ]
        let words = [text(label, from: 0, width: left), text(message, from: left, width: right)]
        return XMLTag(
            "svg",
            [
                ("xmlns", "http://www.w3.org/2000/svg"), ("width", SVG.number(left + right)),
                ("height", "20"), ("role", "img"), ("aria-label", name),
            ],
            .tags([
                XMLTag("title", [], .text(name)), part(from: 0, width: left, "#444444"),
                part(from: left, width: right, ink), XMLTag("g", font, .tags(words)),
            ])
        ).document
    }

    /// About how wide a text is in Verdana of 11 pixels; the SVG stretches it to that.
    private static func width(_ text: String) -> Double {
        text.unicodeScalars.reduce(0) { width, scalar in
            switch scalar {
            case "i", "j", "l", "I", "'", ".", ",", ":", ";", "!", "|", " ", "f", "t", "r":
                width + 4.4
            case "m", "w", "M", "W", "%", "@": width + 10
            case "A"..."Z": width + 7.8
            default: scalar.value > 0x2E80 ? width + 11 : width + 6.8
            }
        }.rounded(.up)
    }
}
