import RigModel

/// The columns of `summary.csv` (spec 2) and `summary.json`; tables for people are choices of them.
enum SummaryColumns {
    static var all: [Table.Column<PolicySummary>] {
        [
            .count("schema") { _ in PolicySummary.schema },
            .word("policy", \.policy).clipped(200), .word("worker", \.worker),
            .word("fault", \.fault), .count("iterations", \.iterations), .count("kills", \.kills),
            .count("passed", \.passed), .count("failed", \.failed),
            .count("inconclusive", \.inconclusive), .size("received_bytes", \.receivedBytes),
            .size("recovered_bytes", \.recoveredBytes), .size("lost_bytes", \.lostBytes),
            .percent("loss_percent", \.lossPercent),
            .number("documented_loss_percent") { $0.documentedLossPercent },
            .bytes("lost_bytes_median", 1, \.lostBytesMedian),
            .bytes("lost_bytes_p95", 0, \.lostBytesP95),
            .bytes("lost_bytes_p99", 0, \.lostBytesP99), .size("lost_bytes_max", \.lostBytesMax),
            .size("bound_bytes", \.boundBytes).absent("no limit"),
            .failures("violations", \.violations),
            .rate("violation_rate_ucb95", \.violationRateUCB95),
            .size("corrupt_bytes", \.corruptBytes), .size("refetched_bytes", \.refetchedBytes),
            .decimal("commits_mean", 3, \.commitsMean),
            .bytes("commit_bytes_mean", 1, \.commitBytesMean),
            .seconds("recovery_seconds_median", \.recoverySecondsMedian),
            .seconds("recovery_seconds_p99", \.recoverySecondsP99),
            .word("phases_hit") { $0.phasesHit.map(\.rawValue).joined(separator: "|") },
            .percent("allowed_loss_percent", \.allowedLossPercent),
            .count("not_judged", \.notJudged), .count("kept_nothing", \.keptNothing),
            .count("attempts", \.attempts), .text("kill_spread") { $0.killSpread },
            .bytes("written_bytes_per_mb", 1, \.cost.writtenBytes),
            .decimal("writes_per_mb", 3, \.cost.writes), .decimal("syncs_per_mb", 3, \.cost.syncs),
            .decimal("commits_per_mb", 3, \.cost.commits),
            .decimal("checkpoints_per_mb", 3, \.cost.checkpoints),
            .seconds("cpu_seconds_per_mb", \.cost.processorSeconds),
        ]
    }

    static func overview(hasBytes: Bool) -> [Table.Column<PolicySummary>] {
        guard hasBytes else {
            return all.titled([
                "worker": "program", "iterations": "iterations", "violations": "violations",
                "inconclusive": "inconclusive", "recovery_seconds_median": "recovery median",
            ])
        }
        return all.titled([
            "policy": "policy", "iterations": "iterations", "violations": "violations",
            "inconclusive": "inconclusive", "loss_percent": "loss %",
            "allowed_loss_percent": "allowed %", "documented_loss_percent": "documented %",
            "lost_bytes_median": "lost median", "lost_bytes_p95": "lost p95",
            "lost_bytes_max": "lost max", "bound_bytes": "bound", "refetched_bytes": "refetched",
            "recovery_seconds_median": "recovery median",
        ])
    }

    static func costs(_ summaries: [PolicySummary], policy: String = "per MB received") -> Table? {
        guard summaries.contains(where: { $0.cost.writtenBytes != nil || $0.cost.writes != nil })
        else { return nil }
        return summaries.table(
            all.titled([
                "policy": policy, "lost_bytes_max": "lost max", "written_bytes_per_mb": "written",
                "writes_per_mb": "writes", "syncs_per_mb": "syncs", "commits_per_mb": "commits",
                "checkpoints_per_mb": "checkpoints", "cpu_seconds_per_mb": "processor time",
            ]))
    }
}

enum HostColumns {
    static var all: [Table.Column<HostSummary>] {
        [
            .text("host") { $0.host }, .count("parts", \.parts), .count("rows", \.rows),
            .count("inconclusive", \.inconclusive), .failures("violations", \.violations),
            .percent("loss_percent", \.lossPercent),
            .seconds("recovery_seconds_median", \.recoverySecondsMedian),
        ]
    }

    static func table(_ hosts: [HostSummary]) -> Table? {
        guard hosts.count > 1 else { return nil }
        let host = Table.Column<HostSummary>.word("host") { $0.host ?? Figure.notKnown }
        return hosts.table([host] + titled(loss: "loss %").dropFirst())
    }

    static func page(_ hosts: [HostSummary], ofKills: Bool) -> Table {
        let columns = titled(loss: "loss").prefix(ofKills ? 7 : 5)
        return hosts.table(Array(columns)).captioned("Results by machine")
    }

    private static func titled(loss: String) -> [Table.Column<HostSummary>] {
        all.titled([
            "host": "machine", "parts": "parts", "rows": "rows", "violations": "violations",
            "inconclusive": "inconclusive", "loss_percent": loss,
            "recovery_seconds_median": "recovery median",
        ])
    }
}

struct Strata {
    let table: Table
    let notes: [String]

    init?(_ summaries: [PolicySummary]) {
        guard summaries.contains(where: { !$0.phasesHit.isEmpty }) else { return nil }
        typealias Row = (policy: String, stratum: Stratum)
        let rows = summaries.flatMap { summary in
            summary.strata.filter { $0.kills > 0 }.map { (summary.policy, $0) as Row }
        }
        table = rows.table([
            .word("policy") { $0.policy }.when(summaries.count > 1),
            .word("phase") { $0.stratum.phase?.rawValue ?? Figure.notKnown },
            .count("kills") { $0.stratum.kills }, .count("violations") { $0.stratum.violations },
            .rate("rate below") { $0.stratum.violationRateUCB95 },
        ])
        let known = summaries.filter { !$0.strata.isEmpty }
        notes = Self.missing(known) + Self.outOfReach(known)
    }

    /// The phases in reach without a kill; one line if all policies agree.
    private static func missing(_ summaries: [PolicySummary]) -> [String] {
        let missing = summaries.map { summary in
            summary.strata.filter { $0.isInReach && $0.kills == 0 }.compactMap(\.phase)
        }
        if Set(missing).count == 1, let same = missing.first {
            return same.isEmpty ? [] : ["never hit: \(list(same))"]
        }
        return zip(summaries, missing).filter { !$1.isEmpty }.map { summary, phases in
            "\(summary.policy): never hit: \(list(phases))"
        }
    }

    /// The phases out of reach for every policy; a kill in a phase shows that it is in reach.
    private static func outOfReach(_ summaries: [PolicySummary]) -> [String] {
        let phases = Phase.allCases.filter { phase in
            summaries.allSatisfy { summary in
                summary.strata.contains { $0.phase == phase && !$0.isInReach }
            }
        }
        return phases.isEmpty ? [] : ["not in reach of this workload: \(list(phases))"]
    }

    private static func list(_ phases: [Phase]) -> String {
        phases.map(\.rawValue).joined(separator: ", ")
    }
}

extension KillPointCoverage {
    /// `kill points hit: 866 of 866 counted`.
    var line: String { "kill points hit: \(hit) of \(counted) counted" }
}

enum GateTable {
    /// - Parameter onPage: the gate's expression comes first, and rows that are not known are told.
    static func table(_ results: [GateResult], onPage: Bool) -> Table {
        let gate: Table.Column<GateResult> = .text("gate") { $0.title }.code
        let verdict: Table.Column<GateResult> = .text("verdict") { $0.verdict.shown.word }
            .toned { $0.verdict.shown.tone }
        return results.table(
            (onPage ? [gate, verdict] : [verdict, gate]) + [
                .number("value") { $0.value.map($0.unit.text) ?? Figure.notKnown },
                .number("limit") { $0.unit.text($0.limit) },
                .number("n") { onPage ? rows($0) : "\($0.n)" },
                .number("95 % interval") { result in
                    result.interval.map { Figure.interval($0, result.unit.text) }
                }.absent("–"),
            ]
        ).captioned("Every gate with what it was held to")
    }

    private static func rows(_ result: GateResult) -> String {
        let unknown = result.unknownRows > 0 ? " + \(result.unknownRows) not known" : ""
        return Figure.count(result.n) + unknown
    }
}

enum UnsyncedColumns {
    static func page(_ kills: [[UnsyncedFileFacts]]) -> Table? {
        guard !kills.isEmpty else { return nil }
        let files = Dictionary(grouping: kills.joined(), by: \.path)
        let shown = files.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return Array(shown.prefix(mostFiles)).table([
            .word("file or folder") { $0.key }, .count("kills") { $0.value.count },
            .figure("operations, at most") { .integer($0.value.map(\.operations).max()) },
            .figure("bytes, at most") { .integer($0.value.map(\.bytes).max()) },
        ]).captioned("Not synced at the kill, of \(kills.count) kills")
    }

    private static let mostFiles = 100
}
