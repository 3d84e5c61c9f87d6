package import RigModel

/// `report.html`: a run on one self-contained page; templates escape all text (``PageText``).
package enum ReportPage {
    package static let mostDetails = 100
    static let mostFailures = 500

    /// The rows that the page shows in detail, with what is stored of them.
    package static func detailed(_ rows: [IterationRow]) -> [IterationRow] {
        Array(rows.lazy.filter { $0.verdict == .fail }.prefix(mostDetails))
    }

    /// HTML in UTF-8, under 2 MB for 10,000 rows; unknown figures are labelled as such.
    package static func text(_ run: ReportedRun) -> String {
        let summary = run.summary
        let policies = PolicySections(run: run)
        let inconclusive = InconclusiveRows(run.rows, hasBytes: run.hasBytes)
        let failures = FailedRows(run)
        let promises = summary.promises.filter { $0.verdict != .notJudged }
        let word = VerdictHeadline.word(summary.status)
        let kind = run.sparesWorkers ? "run without kills" : "kill test"
        return PageTemplates.render(
            Fields([
                "title": "\(word): \(kind) \(summary.runID)",
                "verdict": VerdictSection(run: run).fields,
                "gates": Fields.each(GateTable.table(summary.gates, onPage: true).ifAny),
                "subject": run.hasBytes ? "Policies" : "Kills", "policies": policies.table.fields,
                "costs": Fields.each(policies.costs), "sections": policies.sections,
                "promises": Fields.each(PromiseTable.table(promises).movingLast(to: 1).ifAny),
                "unjudged": PromiseTable.rest(summary.promises),
                "hasUnjudged": promises.count < summary.promises.count,
                "inconclusive": Fields.each(inconclusive.table.ifAny),
                "inconclusiveRest": inconclusive.rest, "failures": failures.fields,
                "hasFailures": !failures.isEmpty,
                "unsynced": Fields.each(UnsyncedColumns.page(run.unsynced)),
                "hosts": Fields.each(
                    HostColumns.page(summary.hosts, ofKills: !run.sparesWorkers).ifAny),
                "environment": EnvironmentSection.fields(run),
            ]), with: "report")
    }
}
