package import RigModel

/// `report.html`: a run on one self-contained page, the verdict first.
///
/// External text goes through templates that escape it (``PageText``): names, reasons, log lines,
/// command lines. Only the templates themselves are unescaped.
package enum ReportPage {
    /// How many failed rows are shown in detail, with the worker's log and a timeline.
    package static let mostDetails = 100
    /// How many failed rows are listed.
    static let mostFailures = 500

    /// The rows that the page shows in detail; their stored details belong in
    /// ``ReportedRun/details``.
    package static func detailed(_ rows: [IterationRow]) -> [IterationRow] {
        Array(rows.lazy.filter { $0.verdict == .fail }.prefix(mostDetails))
    }

    /// HTML in UTF-8, under 2 MB for 10,000 rows; unknown figures are labelled as such.
    package static func text(_ run: ReportedRun) -> String {
        let summary = run.summary
        let policies = PolicySections(run)
        let inconclusive = InconclusiveRows(run.rows, hasBytes: run.hasBytes)
        let failures = FailedRows(run)
        let unsynced = UnsyncedColumns.page(run.unsynced)
        let promises = summary.promises.filter { $0.verdict != .notJudged }
        return PageTemplates.render(
            Fields([
                "title": .text(
                    "\(VerdictHeadline.word(summary.status)): "
                        + "\(run.sparesWorkers ? "run without kills" : "kill test") "
                        + summary.runID),
                "verdict": .one(VerdictSection(run).fields),
                "gates": .one(GateTable.table(summary.gates, onPage: true).fields),
                "hasGates": .flag(!summary.gates.isEmpty),
                "subject": .text(run.hasBytes ? "Policies" : "Kills"),
                "policies": .one(policies.table.fields),
                "costs": .list([policies.costs?.fields].compactMap(\.self)),
                "sections": .list(policies.sections),
                "hasPromises": .flag(!promises.isEmpty),
                "promises": .one(PromiseTable.table(promises).movingLast(to: 1).fields),
                "unjudged": .text(PromiseTable.rest(summary.promises)),
                "hasUnjudged": .flag(promises.count < summary.promises.count),
                "hasInconclusive": .flag(!inconclusive.isEmpty),
                "inconclusive": .one(inconclusive.table.fields),
                "inconclusiveRest": .text(inconclusive.rest),
                "failures": .one(failures.fields),
                "hasFailures": .flag(!failures.isEmpty),
                "hasUnsynced": .flag(unsynced != nil),
                "unsynced": .list([unsynced?.fields].compactMap(\.self)),
                "hasHosts": .flag(!summary.hosts.isEmpty),
                "hosts": .one(HostColumns.page(summary.hosts, ofKills: !run.sparesWorkers).fields),
                "environment": .one(EnvironmentSection.fields(run)),
            ]), with: "report")
    }
}
