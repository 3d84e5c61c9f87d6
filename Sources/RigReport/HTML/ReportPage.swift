package import RigModel

/// `report.html`: a run on one page that needs nothing but itself, the verdict first.
///
/// Whatever comes from outside goes through templates that escape it (``PageText``): names, reasons,
/// log lines, command lines. Nothing is put onto the page unescaped but the templates themselves.
package enum ReportPage {
    /// How many rows that failed are shown one by one, with the worker's log and a timeline.
    package static let mostDetails = 100
    /// How many rows that failed are listed.
    static let mostFailures = 500

    /// The rows that the page shows one by one; what is kept of them belongs into
    /// ``ReportedRun/details``.
    package static func detailed(_ rows: [IterationRow]) -> [IterationRow] {
        Array(rows.lazy.filter { $0.verdict == .fail }.prefix(mostDetails))
    }

    /// The whole page.
    ///
    /// - Parameter run: the run; figures that it does not know are said not to be.
    /// - Returns: HTML in UTF-8, under 2 MB for 10,000 rows.
    package static func text(_ run: ReportedRun) -> String {
        let summary = run.summary
        let policies = PolicySections(run)
        let inconclusive = InconclusiveRows(run.rows)
        let failures = FailedRows(run)
        let promises = summary.promises.filter { $0.verdict != .notJudged }
        return PageTemplates.render(
            Fields([
                "title": .text(
                    "\(StatusText.word(summary.status)): "
                        + "\(run.sparesWorkers ? "run without kills" : "kill test") "
                        + summary.runID),
                "verdict": .one(VerdictSection(run).fields),
                "gates": .one(GateTable.table(summary.gates).fields),
                "hasGates": .flag(!summary.gates.isEmpty),
                "policies": .one(policies.table.fields),
                "sections": .list(policies.sections),
                "hasPromises": .flag(!promises.isEmpty),
                "promises": .one(PromiseSection.table(promises).fields),
                "unjudged": .text(PromiseSection.rest(summary.promises)),
                "hasUnjudged": .flag(promises.count < summary.promises.count),
                "hasInconclusive": .flag(!inconclusive.isEmpty),
                "inconclusive": .one(inconclusive.table.fields),
                "inconclusiveRest": .text(inconclusive.rest),
                "failures": .one(failures.fields),
                "hasFailures": .flag(!failures.isEmpty),
                "hasHosts": .flag(!summary.hosts.isEmpty),
                "hosts": .one(HostTable.table(summary.hosts, ofKills: !run.sparesWorkers).fields),
                "environment": .one(EnvironmentSection.fields(run)),
            ]), with: "report")
    }
}
