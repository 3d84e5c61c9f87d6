package import RigModel

/// The output of `rig kill-test --json`: JSON lines, one event each, written during the run.
///
/// The first line is `run`, the last `summary`; between them come a `row` for every kill, a
/// `progress` at most once a second, and finally a `gate` for every gate. A part of a plan has no
/// verdict: its last line is `part`, with no gates before it, and the only line if the part already
/// exists. Unknown values are `null`, never 0. Seeds are strings, because many JSON readers have no
/// 64-bit numbers. A run that cannot begin, or whose origin fails, prints no `summary`: its exit
/// code and its message on standard error say why. Later versions may add events and members;
/// readers must ignore unknown ones.
package enum RunEvents {
    /// The version of the format, which is `schema` in the first line.
    package static let schema = 1

    /// `{"event":"run",…}`: describes the run, whose folder is named as in commands.
    package static func run(_ manifest: Manifest, folder: String) -> String {
        let versions = manifest.versions.sorted { $0.key < $1.key }
        return JSONValue.object([
            ("event", .string("run")),
            ("schema", .integer(schema)), ("run_id", .string(manifest.runID)),
            ("folder", .string(folder)), ("started_at", .string(manifest.startedAt)),
            ("command", .string(ShellWord.line(manifest.command))),
            ("seed", .string(String(manifest.plan.seed))),
            ("plan_digest", .string(manifest.planDigest)),
            ("partition", .string(manifest.partition?.text)),
            ("worker", .string(manifest.worker)),
            ("workload", .string(manifest.workload.rawValue)),
            ("fault", .string(manifest.fault.rawValue)),
            ("trigger", .string(manifest.plan.trigger.rawValue)),
            ("policies", .array(manifest.plan.policies.map { .string($0.name) })),
            ("iterations", .integer(manifest.iterations)),
            ("jobs", .integer(manifest.jobs ?? 1)),
            ("expected_rows", .integer(manifest.expectedRows)),
            ("gates", .array(manifest.gates.map { .string($0) })),
            ("host", .string(manifest.machine.host)),
            ("versions", .object(versions.map { ($0.key, .string($0.value)) })),
        ]).line
    }

    /// `{"event":"row",…}`: a kill, with every column of `iterations.csv` by name.
    package static func row(_ row: IterationRow) -> String {
        event("row", IterationsCSV.members(row))
    }

    /// `{"event":"progress",…}`: the run's progress, counted in rows.
    package static func progress(_ state: ProgressState) -> String {
        JSONValue.object([
            ("event", .string("progress")),
            ("done", .integer(state.done)), ("total", .integer(state.total)),
            ("policy", .string(state.policy)),
            ("violations", .integer(state.violations)),
            ("violation_rate_ucb95", .decimal(state.rateBound, 6)),
            ("inconclusive", .integer(state.inconclusive)),
            ("elapsed_seconds", .decimal(state.elapsedSeconds, 3)),
        ]).line
    }

    /// The conclusion: `{"event":"gate",…}` for every gate, then `{"event":"summary",…}` with all
    /// members of `summary.json`.
    package static func conclusion(_ summary: RunSummary) -> [String] {
        summary.gates.map { event("gate", SummaryJSON.members(of: $0)) }
            + [event("summary", SummaryJSON.members(of: summary))]
    }

    /// `{"event":"part",…}`: the last line of a part of a run; it has all its rows but no verdict.
    package static func part(_ report: PartReport) -> String {
        JSONValue.object([
            ("event", .string("part")),
            ("schema", .integer(schema)),
            ("partition", .string(report.partition.text)),
            ("folder", .string(report.folder)),
            ("rows", .integer(report.rows)),
            ("expected_rows", .integer(report.expectedRows)),
            ("already_there", .boolean(report.wasThere)),
            ("judge", .string(report.judgeCommand)),
        ]).line
    }

    /// `{"event":"timings",…}`: how a run with `--timings` spent its time.
    package static func timings(_ timings: RunTimings, summaries: [StageSummary]) -> String {
        JSONValue.object([
            ("event", .string("timings")),
            ("iterations", .integer(timings.iterations.count)),
            ("elapsed_seconds", .decimal(timings.elapsed, 6)),
            ("rig_processor_seconds", .decimal(timings.rigProcessor, 6)),
            ("worker_processor_seconds", .decimal(timings.workerProcessor, 6)),
            (
                "stages",
                summaries.table([
                    .text("stage") { .string($0.name) },
                    .number("total_seconds") { .seconds($0.total) },
                    .number("share") { .decimal($0.share, 4) },
                    .number("median_seconds") { .seconds($0.median) },
                    .number("p90_seconds") { .seconds($0.p90) },
                    .number("max_seconds") { .seconds($0.max) },
                ]).objects
            ),
        ]).line
    }

    private static func event(_ name: String, _ members: [(String, JSONValue)]) -> String {
        JSONValue.object([("event", .string(name))] + members).line
    }
}
