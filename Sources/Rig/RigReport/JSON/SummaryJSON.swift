package import RigModel

/// `summary.json`: the summary, and every gate with its verdict, value, limit, n and interval.
///
/// The seed is a string because it exceeds the number range of many JSON readers.
package enum SummaryJSON {
    package static func text(_ summary: RunSummary) -> String {
        JSONValue.object(members(of: summary)).document
    }

    /// The members of the file, in order.
    static func members(of summary: RunSummary) -> [(String, JSONValue)] {
        [
            ("schema", .integer(1)),
            ("run_id", .string(summary.runID)),
            ("command", .string(summary.command)),
            ("seed", .string(String(summary.seed))),
            ("result", .string(StatusText.word(summary.status))),
            ("exit_code", .integer(Int64(summary.status.rawValue))),
            ("expected_rows", .integer(summary.expectedRows)),
            ("rows", .integer(summary.rows)),
            ("kill_points", summary.coverage.map(coverage) ?? .null),
            ("sentences", .array(summary.sentences.map { .string($0) })),
            ("policies", .array(summary.policies.map(policy))),
            ("gates", .array(summary.gates.map { .object(members(of: $0)) })),
            ("promises", .array(summary.promises.map(PromiseJSON.value))),
            ("hosts", summary.hosts.table(HostColumns.all).objects),
        ]
    }

    private static func policy(_ summary: PolicySummary) -> JSONValue {
        let columns = SummaryColumns.all.filter { $0.head.key != "phases_hit" }
        let phases = summary.strata.filter { $0.kills > 0 }.compactMap { stratum in
            stratum.phase.map { ($0.rawValue, JSONValue.integer(stratum.kills)) }
        }
        let unjudged = Checker.allCases.compactMap { checker in
            summary.notJudgedBy[checker].map { (checker.rawValue, JSONValue.integer($0)) }
        }
        return .object(
            columns.map { $0.member(summary) } + [
                ("loss_percent_interval95", summary.lossPercentInterval.map(interval) ?? .null),
                ("not_judged_by_checker", .object(unjudged)),
                ("phases_hit", .object(phases)), ("strata", .array(summary.strata.map(stratum))),
            ])
    }

    private static func stratum(_ stratum: Stratum) -> JSONValue {
        .object([
            ("phase", .string(stratum.phase?.rawValue)),
            ("in_reach", .boolean(stratum.isInReach)),
            ("kills", .integer(stratum.kills)),
            ("violations", .integer(stratum.violations)),
            ("violation_rate_ucb95", .decimal(stratum.violationRateUCB95, 6)),
        ])
    }

    private static func coverage(_ coverage: KillPointCoverage) -> JSONValue {
        .object([
            ("hit", .integer(coverage.hit)),
            ("counted", .integer(coverage.counted)),
        ])
    }

    /// The members of a gate, in order.
    static func members(of result: GateResult) -> [(String, JSONValue)] {
        [
            ("gate", .string(result.gate)),
            ("policy", .string(result.policy)),
            ("verdict", .string(result.verdict.rawValue)),
            ("value", .decimal(result.value, 6)),
            ("limit", .decimal(result.limit, 6)),
            ("unit", .string(result.unit.rawValue)),
            ("n", .integer(result.n)),
            ("interval95", result.interval.map(interval) ?? .null),
        ]
    }

    private static func interval(_ interval: ConfidenceInterval) -> JSONValue {
        .object([("low", .decimal(interval.low, 6)), ("high", .decimal(interval.high, 6))])
    }
}
