package import RigModel

/// `report.html` of an audit: a table of the situations, and a section for each.
package enum AuditPage {
    /// A self-contained HTML page in UTF-8; it links to the pages of the situations' runs, in the
    /// folders beside it.
    package static func text(_ report: AuditReport) -> String {
        let title = "audit of \(report.worker): \(StatusText.word(report.status))"
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
            "hasPage": finding.kills != nil || finding.isMoot,
            "page": "\(situation.name)/report.html",
        ])
    }
}
