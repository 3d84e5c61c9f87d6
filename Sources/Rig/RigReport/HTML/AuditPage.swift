package import RigModel

/// `report.html` of an audit: a table of the situations, and a section for each.
package enum AuditPage {
    /// A self-contained HTML page in UTF-8; it links to the pages of the situations' runs, in the
    /// folders beside it.
    package static func text(_ report: AuditReport) -> String {
        let tone = Tone(report.status)
        let word = StatusText.word(report.status)
        return PageTemplates.render(
            Fields([
                "title": .text(PageText.clipped("audit of \(report.worker): \(word)", bytes: 200)),
                "tone": .text(tone.rawValue), "mark": .text(tone.mark), "word": .text(word),
                "code": .text("\(report.status.rawValue)"),
                "worker": .text(PageText.clipped(report.worker, bytes: 200)),
                "headline": .text(AuditTable.sentence(report)),
                "run": .text(
                    PageText.clipped("run \(report.runID), seed \(report.seed)", bytes: 500)),
                "table": .one(
                    AuditTable.table(report).linked { "#\(report.findings[$0].situation.name)" }
                        .fields),
                "situations": .list(report.findings.map(section)),
            ]), with: "audit")
    }

    private static func section(_ finding: AuditFinding) -> Fields {
        let situation = finding.situation
        return Fields([
            "id": .text(situation.name), "heading": .text(situation.title),
            "result": .text(
                PageText.clipped(AuditTable.result(finding, isWhole: true), bytes: 1000)),
            "isKnown": .flag(finding.mistake != nil), "mistake": .text(finding.mistake ?? ""),
            "command": .text(finding.command),
            "hasReplay": .flag(finding.replay != nil), "replay": .text(finding.replay ?? ""),
            "isTried": .flag(!finding.command.isEmpty),
            "hasPage": .flag(finding.kills != nil || finding.isMoot),
            "page": .text("\(situation.name)/report.html"),
        ])
    }
}
