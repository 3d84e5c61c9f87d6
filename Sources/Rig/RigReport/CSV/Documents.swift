package import RigModel

/// `summary.csv`: one row per policy (spec 2); its phases are joined by `|`.
package enum SummaryCSV {
    package static func text(_ policies: [PolicySummary]) -> String {
        policies.table(SummaryColumns.all).csv
    }
}

/// `documented.csv`: the documents' own figures beside those that were measured.
package enum DocumentedCSV {
    package static func text(_ rows: [DocumentedRow]) -> String {
        typealias Column = Table.Column<DocumentedRow>
        let start: [Column] = [
            .count("schema") { _ in 1 }, .word("section") { $0.section.rawValue },
            .word("item", \.item), .word("runs") { $0.runs.joined(separator: "|") },
            .count("n", \.n),
        ]
        let figures = DocumentedColumn.allCases.map { column in
            Column.decimal(column.rawValue, column.decimals) { $0.figures[column] }
        }
        let end: [Column] = [
            .text("documented_loss_percent") { $0.documentedLossText },
            .text("held") { $0.isHeld.map { "\($0)" } },
            .text("note") { $0.note },
        ]
        return rows.table(start + figures + end).csv
    }
}

/// `timings.csv`: one row per iteration, and a column per stage, which add up to the total.
package enum TimingsCSV {
    package static func text(_ timings: RunTimings, runID: String) -> String {
        typealias Column = Table.Column<IterationTimings>
        let start: [Column] = [
            .count("schema") { _ in 1 }, .word("run_id") { _ in runID },
            .count("iteration", \.iteration), .word("policy", \.policy),
        ]
        let stages = IterationStage.allCases.map { stage in
            Column.seconds("\(stage.rawValue)_seconds") { $0.seconds(stage) }
        }
        let total: [Column] = [.seconds("total_seconds") { $0.total }]
        let beside = OverlappedWork.allCases.map { work in
            Column.seconds("\(work.rawValue)_beside_seconds") { $0.seconds(beside: work) }
        }
        return timings.iterations.table(start + stages + total + beside).csv
    }
}

/// One line per planned kill, as printed by `rig plan --rows`.
package enum PlanCSV {
    package static let header = "iteration,kill,policy,trigger,planned,delay_seconds,seed\n"

    package static func lines(_ planned: PlannedIteration) -> String {
        planned.kills.map { kill in
            CSVWriter.line([
                String(planned.iteration), String(kill.kill), planned.policy.name,
                kill.trigger.kind.rawValue, kill.trigger.planned,
                FixedPoint.text(kill.delaySeconds, decimals: 9), String(planned.seed),
            ])
        }.joined()
    }
}

/// `ledger.csv` of a row's evidence: one line per request, from the origin and from the worker.
///
/// `end_byte` is one past the last. What one side does not know is empty.
package enum LedgerCSV {
    package static func text(_ evidence: IterationEvidence) -> String {
        let recovered = evidence.autopsy?.recovered
        let killed = pairs(evidence.requests, evidence.witness?.requests ?? [])
            .map { ("killed", $0.served, $0.witnessed) as Line }
        let relaunched = (evidence.resumption?.requests ?? [])
            .map { ("relaunched", $0, nil) as Line }
        return (killed + relaunched).table([
            .word("life") { $0.life },
            .size("first_byte") { $0.served?.requested.lowerBound ?? $0.witnessed?.start },
            .size("end_byte") { $0.served?.requested.upperBound },
            .size("served_bytes") { $0.served?.servedBytes },
            .size("received_bytes") { $0.witnessed?.received },
            .size("acknowledged_bytes") { $0.witnessed?.acknowledged },
            .size("recovered_bytes") { line in
                line.witnessed.flatMap { recovered?.intersection($0.receivedRange).count }
            },
            .text("active") { $0.witnessed.map { "\($0.isActive)" } },
        ]).csv
    }

    private typealias Line = (life: String, served: ServedRequest?, witnessed: WitnessedRequest?)
    private typealias Pair = (served: ServedRequest?, witnessed: WitnessedRequest?)

    /// Pairs requests by start position; of several, that with more bytes served has more received.
    private static func pairs(
        _ served: [ServedRequest], _ witnessed: [WitnessedRequest]
    ) -> [Pair] {
        let bySize = served.indices.sorted {
            (served[$0].servedBytes, $0) < (served[$1].servedBytes, $1)
        }
        var left = Dictionary(grouping: witnessed, by: \.start)
            .mapValues { requests in requests.sorted { $0.received < $1.received } }
        var partner: [Int: WitnessedRequest] = [:]
        for index in bySize.reversed() {
            partner[index] = left[served[index].requested.lowerBound]?.popLast()
        }
        let unseen = left.sorted { $0.key < $1.key }.flatMap(\.value)
        return served.indices.map { (served[$0], partner[$0]) } + unseen.map { (nil, $0) }
    }
}

/// A comparison as CSV: a row per pair of sides and metric, in the metric's unit.
package enum ComparisonCSV {
    package static func text(_ comparison: RunComparison) -> String {
        let rows = ComparisonTables.rows(comparison)
        guard !rows.isEmpty else { return "" }
        let figure: [Table.Column<ComparisonTables.Row>] = [
            .text("metric") { $0.metric.metric.rawValue },
            .text("figure") { $0.metric.metric.figure },
        ]
        return rows.table(sides(comparison) + figure + ComparisonColumns.all).csv
    }

    private static func sides(_ comparison: RunComparison) -> [Table.Column<ComparisonTables.Row>] {
        [
            .count("schema") { _ in 1 },
            .word("base_run") { comparison.runs[$0.pair.base.run].name },
            .word("base_policy") { $0.pair.base.policy },
            .word("other_run") { comparison.runs[$0.pair.other.run].name },
            .word("other_policy") { $0.pair.other.policy },
            .text("paired") { "\($0.pair.isPaired)" },
            .figure("base_violations") { .integer(comparison.policy($0.pair.base)?.violations) },
            .figure("other_violations") { .integer(comparison.policy($0.pair.other)?.violations) },
            .figure("base_corrupt_bytes") {
                .integer(comparison.policy($0.pair.base)?.corruptBytes)
            },
            .figure("other_corrupt_bytes") {
                .integer(comparison.policy($0.pair.other)?.corruptBytes)
            },
        ]
    }
}

enum ComparisonColumns {
    /// Seconds have six decimals, p values nine, or three significant digits if that is more.
    static var all: [Table.Column<ComparisonTables.Row>] {
        func figure(
            _ name: String, _ value: @escaping (MetricComparison) -> Double?
        ) -> Table.Column<ComparisonTables.Row> {
            .figure(name) { .decimal(value($0.metric), $0.metric.metric.decimals) }
        }
        return [
            figure("base", \.base), figure("other", \.other),
            .count("base_n") { $0.metric.baseCount }, .count("other_n") { $0.metric.otherCount },
            .count("unknown_rows") { $0.metric.unknownRows },
            figure("difference", \.difference), figure("difference_low95", \.interval?.low),
            figure("difference_high95", \.interval?.high),
            .percent("change_percent") { $0.metric.changePercent },
            .percent("drift_percent") { 100 * $0.metric.drift },
            .figure("p_value") { .probability($0.metric.pValue) },
            .figure("p_adjusted") { .probability($0.metric.adjustedPValue) },
            .text("verdict") { $0.metric.verdict.rawValue },
            .figure("needed") { .integer($0.metric.needed) },
        ]
    }
}

extension RunComparison {
    func policy(_ side: ComparedSide) -> ComparedPolicy? {
        runs[side.run].policies.first { $0.policy == side.policy }
    }
}
