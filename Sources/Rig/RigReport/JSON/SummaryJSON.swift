package import RigModel

/// `summary.json`; the seed is a string, because many JSON readers have no 64-bit numbers.
package enum SummaryJSON {
    package static func text(_ summary: RunSummary) -> String {
        JSONValue.object(members(of: summary)).document
    }

    static func members(of summary: RunSummary) -> [(String, JSONValue)] {
        JSONValue.members([
            "schema": 1, "run_id": summary.runID, "command": summary.command,
            "seed": "\(summary.seed)", "result": summary.status.shown.word,
            "exit_code": summary.status.rawValue, "expected_rows": summary.expectedRows,
            "rows": summary.rows,
            "kill_points": summary.coverage.map { coverage in
                JSONValue(["hit": coverage.hit, "counted": coverage.counted])
            },
            "sentences": summary.sentences, "policies": summary.policies.map(policy),
            "gates": summary.gates.map { JSONValue.object(members(of: $0)) },
            "promises": summary.promises.map(PromiseJSON.value),
            "hosts": summary.hosts.table(HostColumns.all).objects,
        ])
    }

    private static func policy(_ summary: PolicySummary) -> JSONValue {
        let columns = SummaryColumns.all.filter { $0.head.key != "phases_hit" }
        let phases = summary.strata.filter { $0.kills > 0 }.compactMap { stratum in
            stratum.phase.map { ($0.rawValue, JSONValue.integer(stratum.kills)) }
        }
        let unjudged = Checker.allCases.compactMap { checker in
            summary.notJudgedBy[checker].map { (checker.rawValue, JSONValue.integer($0)) }
        }
        let others = JSONValue.members([
            "loss_percent_interval95": summary.lossPercentInterval.map(interval),
            "not_judged_by_checker": JSONValue.object(unjudged),
            "phases_hit": JSONValue.object(phases),
            "strata": summary.strata.map { stratum in
                JSONValue([
                    "phase": stratum.phase?.rawValue, "in_reach": stratum.isInReach,
                    "kills": stratum.kills, "violations": stratum.violations,
                    "violation_rate_ucb95": stratum.violationRateUCB95?.decimals(6),
                ])
            },
        ])
        return .object(columns.map { $0.member(summary) } + others)
    }

    static func members(of result: GateResult) -> [(String, JSONValue)] {
        JSONValue.members([
            "gate": result.gate, "policy": result.policy, "verdict": result.verdict.rawValue,
            "value": result.value?.decimals(6), "limit": result.limit.decimals(6),
            "unit": result.unit.rawValue, "n": result.n,
            "interval95": result.interval.map(interval),
        ])
    }

    private static func interval(_ interval: ConfidenceInterval) -> JSONValue {
        JSONValue(["low": interval.low?.decimals(6), "high": interval.high?.decimals(6)])
    }
}
