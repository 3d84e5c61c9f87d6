package import RigModel

/// The detection table, for a terminal and as Markdown.
package enum SelfCheckTable {
    package static func text(_ report: SelfCheckReport) -> String {
        (arms(report).lines + [""] + bugs(report).lines + [""] + reports(report)
            + [sentence(report), StatusText.line(report.status)]).joined(separator: "\n") + "\n"
    }

    package static func markdown(_ report: SelfCheckReport) -> String {
        SummaryMarkdown.document([
            "## Self-check: \(StatusText.line(report.status))",
            SummaryMarkdown.escaped(sentence(report)),
            bugs(report).markdown, arms(report).markdown,
            SummaryMarkdown.list(reports(report)),
            "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed).",
        ])
    }

    private static func arms(_ report: SelfCheckReport) -> Table {
        (report.clean + [report.nullControl]).table([
            .text("without a bug") { .string($0.name) },
            .number("iterations") { .integer($0.iterations) },
            .number("inconclusive") { .integer($0.inconclusive) },
            .number("reported") { .integer($0.reports.count) },
        ])
    }

    private static func bugs(_ report: SelfCheckReport) -> Table {
        let rows: [[String]] = report.detections.map { detection in
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
        return rows.table([
            .text("planted bug") { .string($0[0]) }, .number("iterations") { .string($0[1]) },
            .text("outcome") { .string($0[2]) }, .text("by") { .string($0[3]) },
        ])
    }

    private static func reports(_ report: SelfCheckReport) -> [String] {
        (report.clean + [report.nullControl]).flatMap { arm in
            (arm.reports.prefix(5) + [arm.failure?.line].compactMap { $0 })
                .map { PrintableText.line("\(arm.name): \($0)") }
        }
    }

    private static func sentence(_ report: SelfCheckReport) -> String {
        let caught = report.detections.count { $0.state == .caught }
        let alarms = report.clean.reduce(0) { $0 + $1.reports.count }
        return "\(caught) of \(report.detections.count) planted bugs caught; \(alarms) reported in "
            + "\(report.cleanIterations) iterations without a bug"
    }
}
