package import RigModel

/// The detection table, for a terminal and as Markdown.
package enum SelfCheckTable {
    /// The terminal's output.
    package static func text(_ report: SelfCheckReport) -> String {
        let arms = TextGrid.lines(armTitles, armRows(report), numbers: [1, 2, 3])
        let bugs = TextGrid.lines(bugTitles, bugRows(report), numbers: [1])
        return
            (arms + [""] + bugs + [""] + reports(report) + [
                sentence(report),
                "\(StatusText.word(report.status)) (exit \(report.status.rawValue))",
            ]).joined(separator: "\n") + "\n"
    }

    /// The text of `self-check.md`.
    package static func markdown(_ report: SelfCheckReport) -> String {
        let word = StatusText.word(report.status)
        var parts = [
            "## Self-check: \(word) (exit \(report.status.rawValue))",
            SummaryMarkdown.escaped(sentence(report)),
            TextGrid.markdown(bugTitles, bugRows(report), numbers: [1]),
            TextGrid.markdown(armTitles, armRows(report), numbers: [1, 2, 3]),
            SummaryMarkdown.list(reports(report)),
            "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed).",
        ]
        parts.removeAll(where: \.isEmpty)
        return parts.joined(separator: "\n\n") + "\n"
    }

    private static let armTitles = ["without a bug", "iterations", "inconclusive", "reported"]
    private static let bugTitles = ["planted bug", "iterations", "outcome", "by"]

    private static func armRows(_ report: SelfCheckReport) -> [[String]] {
        (report.clean + [report.nullControl]).map {
            [$0.name, "\($0.iterations)", "\($0.inconclusive)", "\($0.reports.count)"]
        }
    }

    private static func bugRows(_ report: SelfCheckReport) -> [[String]] {
        report.detections.map { detection in
            let checkers = detection.checkers.map(\.rawValue).joined(separator: ", ")
            return switch detection.state {
            case .caught: [detection.bug, "\(detection.iterations)", "caught", checkers]
            case .missed:
                [
                    detection.bug, "\(detection.iterations)", "MISSED",
                    checkers.isEmpty ? "-" : "only \(checkers)",
                ]
            case .notRun(let why): [detection.bug, "-", "not run: \(why)", "-"]
            }
        }
    }

    private static func reports(_ report: SelfCheckReport) -> [String] {
        (report.clean + [report.nullControl]).flatMap { arm in
            (arm.reports.prefix(5) + [arm.failure?.line].compactMap { $0 })
                .map { TextGrid.printable("\(arm.name): \($0)") }
        }
    }

    private static func sentence(_ report: SelfCheckReport) -> String {
        let caught = report.detections.count { $0.state == .caught }
        let alarms = report.clean.reduce(0) { $0 + $1.reports.count }
        return "\(caught) of \(report.detections.count) planted bugs caught; \(alarms) reported in "
            + "\(report.cleanIterations) iterations without a bug"
    }
}
