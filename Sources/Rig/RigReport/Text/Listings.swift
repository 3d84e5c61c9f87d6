package import RigModel

/// The output of `rig list`: the stored runs, and what each came to.
package enum RunsTable {
    package static func text(_ runs: [RunListing]) -> String {
        runs.table([
            .text("run") { .string($0.folder) },
            .text("started") { .string(($0.manifest?.startedAt).map(HistoryTables.time)) },
            .text("verdict") { .string(word($0)) },
            .text("worker") { .string($0.manifest?.worker) },
            .text("workload") { .string($0.manifest?.workload.rawValue) },
            .text("fault") { .string($0.manifest?.fault.rawValue) },
            .number("rows") { .string(count($0)) },
        ]).text
    }

    private static func word(_ run: RunListing) -> String {
        if run.isRunning { return "RUNNING" }
        if let status = run.status { return VerdictHeadline.word(status) }
        guard run.manifest != nil else { return "UNREADABLE" }
        return run.isPart ? "PART" : "NOT JUDGED"
    }

    private static func count(_ run: RunListing) -> String? {
        guard let expected = run.manifest?.expectedRows else { return nil }
        return run.rows == expected ? "\(expected)" : "\(run.rows) of \(expected)"
    }
}

package enum RunsJSON {
    package static func text(_ runs: [RunListing]) -> String {
        JSONValue(["schema": 1, "runs": runs.map(run)]).document
    }

    private static func run(_ run: RunListing) -> JSONValue {
        let manifest = run.manifest
        return JSONValue([
            "folder": run.folder, "run_id": manifest?.runID, "started_at": manifest?.startedAt,
            "worker": manifest?.worker, "workload": manifest?.workload.rawValue,
            "fault": manifest?.fault.rawValue, "seed": manifest.map { "\($0.plan.seed)" },
            "rows": run.rows, "expected_rows": manifest?.expectedRows,
            "exit_code": run.status?.rawValue, "reason": run.reason, "running": run.isRunning,
        ])
    }
}

/// The output of `rig workers`: the profiles, and what is missing to run them.
package enum WorkersTable {
    package static func text(_ workers: [WorkerListing]) -> String {
        workers.table([
            .text("worker") { .string($0.worker.name) },
            .text("level") { .string($0.worker.levels.last?.rawValue) },
            // The bound of a kill by signal 9.
            .text("bound") { .string($0.worker.bound[.sigkill]?.text) },
            .text("installed") { .string(installed($0)) },
            .text("about") { .string($0.worker.about) },
        ]).text
    }

    private static func installed(_ listing: WorkerListing) -> String {
        guard !listing.missing.isEmpty else { return "yes" }
        return "no: \(listing.missing.map { package($0, listing.worker) }.joined(separator: ", "))"
    }

    private static func package(_ program: String, _ worker: WorkerProfile) -> String {
        guard let package = worker.packages[program], package != program else { return program }
        return "\(program) (\(package))"
    }
}

package enum WorkersJSON {
    package static func text(_ workers: [WorkerListing]) -> String {
        JSONValue(["schema": 1, "workers": workers.map(worker)]).document
    }

    private static func worker(_ listing: WorkerListing) -> JSONValue {
        let worker = listing.worker
        let bounds = Fault.allCases.compactMap { fault in
            worker.bound[fault].map { (fault.rawValue, JSONValue.string($0.text)) }
        }
        let needs = Set(worker.needs + worker.programs).sorted().map { program in
            JSONValue([
                "program": program, "package": worker.packages[program],
                "installed": !listing.missing.contains(program),
            ])
        }
        return JSONValue([
            "name": worker.name, "about": worker.about, "levels": worker.levels.map(\.rawValue),
            "server": worker.server != nil, "bound": JSONValue.object(bounds),
            "bound_source": worker.boundSource, "installed": listing.missing.isEmpty,
            "needs": needs,
        ])
    }
}

/// The output of `rig workers check`: the points of the contract, and the worker's result for each.
package enum ContractTable {
    package static func text(_ report: ContractReport) -> String {
        let table = report.points.table([
            .text("contract") { .string($0.name.rawValue) },
            .text(report.worker) { .string($0.verdict.rawValue) }, .text("") { .string($0.detail) },
        ])
        return table.text + "\nseed \(report.seed)\n\(StatusText.line(report.status))\n"
    }
}

package enum ContractJSON {
    package static func text(_ report: ContractReport) -> String {
        JSONValue([
            "schema": 1, "worker": report.worker, "seed": "\(report.seed)",
            "result": report.status.shown.word, "exit_code": report.status.rawValue,
            "points": report.points.map { point in
                JSONValue([
                    "point": point.name.rawValue, "verdict": point.verdict.rawValue,
                    "detail": point.detail,
                ])
            },
        ]).document
    }
}
