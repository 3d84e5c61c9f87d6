package import RigModel

package enum SelfCheckTable {
    package static func text(_ report: SelfCheckReport) -> String {
        (arms(report).lines + [""] + bugs(report).lines + [""] + reports(report)
            + [sentence(report), report.status.withCode]).joined(separator: "\n") + "\n"
    }

    package static func markdown(_ report: SelfCheckReport) -> String {
        SummaryMarkdown.document([
            "## Self-check: \(report.status.withCode)",
            SummaryMarkdown.escaped(sentence(report)), bugs(report).markdown, arms(report).markdown,
            SummaryMarkdown.list(reports(report)),
            "Run \(SummaryMarkdown.escaped(report.runID)), seed \(report.seed).",
        ])
    }

    private static func arms(_ report: SelfCheckReport) -> Table {
        (report.clean + [report.nullControl]).table([
            .word("without a bug", \.name), .count("iterations", \.iterations),
            .count("inconclusive", \.inconclusive), .count("reported", \.reports.count),
        ])
    }

    private static func bugs(_ report: SelfCheckReport) -> Table {
        report.detections.table([
            .word("planted bug", \.bug),
            .figure("iterations") { $0.told.wasRun ? .integer($0.iterations) : .null },
            .word("outcome") { $0.told.outcome }, .word("by") { $0.told.by },
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

extension Detection {
    fileprivate var told: (wasRun: Bool, outcome: String, by: String) {
        let names = checkers.map(\.rawValue).joined(separator: ", ")
        return switch state {
        case .caught: (true, "caught", names)
        case .missed: (true, "MISSED", names.isEmpty ? "-" : "only \(names)")
        case .notRun(let why): (false, "not run: \(why)", "-")
        }
    }
}
