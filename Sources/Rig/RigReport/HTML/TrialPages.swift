package import RigModel

/// `report.html` of an audit: a table of the situations, and a section for each.
package enum AuditPage {
    package static func text(_ report: AuditReport) -> String {
        let title = "audit of \(report.worker): \(report.status.shown.word)"
        let table = AuditTable.table(report).linked { "#\(report.findings[$0].situation.name)" }
        return PageTemplates.render(
            Fields(
                [
                    "title": PageText.clipped(title, bytes: 200),
                    "worker": PageText.clipped(report.worker, bytes: 200),
                    "headline": AuditTable.sentence(report),
                    "run": PageText.clipped("run \(report.runID), seed \(report.seed)", bytes: 500),
                    "table": table.fields, "situations": report.findings.map(section),
                ], verdict: report.status), with: "audit")
    }

    private static func section(_ finding: AuditFinding) -> Fields {
        let situation = finding.situation
        let result = AuditTable.result(finding, isWhole: true)
        return Fields([
            "id": situation.name, "heading": situation.title,
            "result": PageText.clipped(result, bytes: 1000),
            "isKnown": finding.mistake != nil, "mistake": finding.mistake ?? "",
            "isTried": !finding.command.isEmpty, "command": finding.command,
            "hasReplay": finding.replay != nil, "replay": finding.replay ?? "",
            // A rig that failed there has written none.
            "hasPage": (finding.kills != nil || finding.isMoot)
                && finding.failure?.status.isOfTheRig != true,
            "page": "\(situation.name)/report.html",
        ])
    }
}

/// `documented.html`: the promises and the documents' own tables, beside what was measured.
package enum DocumentedPage {
    package static func text(_ report: DocumentedReport) -> String {
        PageTemplates.render(
            Fields(
                [
                    "title": "documents on trial: \(report.status.shown.word)",
                    "headline": PromiseTable.sentence(report.results),
                    "run": PageText.clipped("run \(report.runID), seed \(report.seed)", bytes: 500),
                    "promises": PromiseTable.table(report.results).movingLast(to: 1).fields,
                    "tables": DocumentedTable.all(report.documented).map(\.fields),
                    "failures": Fields.notes(report.failures.map(\.line)),
                    "hasFailures": !report.failures.isEmpty,
                ], verdict: report.status), with: "documented")
    }
}

/// The page of `rig compare --html`: what thresholds cost in each run, and what differs.
package enum ComparisonPage {
    package static func text(_ comparison: RunComparison) -> String {
        let headline = ComparisonMarkdown.headline(comparison)
        let differences = ComparisonTables.differences(comparison, verdict: "verdict")
        return PageTemplates.render(
            Fields([
                "title": "comparison: \(headline)", "headline": headline,
                "runs": comparison.runs.enumerated().map { run($1, index: $0) },
                "curve": ThresholdPlot(comparison: comparison).plot.fields,
                "differences": differences.movingLast(to: 2).fields,
                "each": ComparisonTables.runs(comparison).fields,
                "notes": Fields.notes(ComparisonTables.notes(comparison)),
            ]), with: "comparison")
    }

    private static func run(_ run: ComparedRun, index: Int) -> Fields {
        let name = PageText.clipped(run.name, bytes: 500)
        let id = PageText.clipped(run.runID, bytes: 500)
        return Fields([
            "letter": ComparisonTables.letter(index),
            "run": "\(name), run \(id), \(Figure.counted(run.rows, "row"))",
            "style": ThresholdPlot.style(index), "mark": ThresholdPlot.mark(index, x: 22, y: 7),
        ])
    }
}
