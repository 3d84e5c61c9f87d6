package import RigModel

/// `summary.csv`: one row per policy (spec 2).
///
/// `violation_rate_ucb95` is a fraction, with six decimals; the phases that were hit are joined by
/// `|`, in the order of a life.
package enum SummaryCSV {
    package static func text(_ policies: [PolicySummary]) -> String {
        policies.table(SummaryColumns.all).csv
    }
}

/// `documented.csv`: the documents' own figures beside those that were measured.
package enum DocumentedCSV {
    /// The whole file; an empty field means unknown, or that the documents say nothing.
    package static func text(_ rows: [DocumentedRow]) -> String {
        let figures: [Table.Column<DocumentedRow>] = DocumentedColumn.allCases.map { column in
            .number(column.rawValue) { .decimal($0.figures[column], column.decimals) }
        }
        return rows.table(
            [
                .count("schema") { _ in 1 }, .word("section", \.section.rawValue),
                .word("item", \.item), .word("runs") { $0.runs.joined(separator: "|") },
                .count("n", \.n),
            ] + figures + [
                .text("documented_loss_percent") { .string($0.documentedLossText) },
                .text("held") { .string($0.isHeld.map { "\($0)" }) },
                .text("note") { .string($0.note) },
            ]
        ).csv
    }
}

/// `timings.csv` of a run with `--timings`: one row per iteration, one column per stage.
///
/// The stages are in their order and add up to `total_seconds`; work done in parallel follows.
/// Seconds have six decimals; an empty field is a stage that did not occur.
package enum TimingsCSV {
    package static func text(_ timings: RunTimings, runID: String) -> String {
        typealias Column = Table.Column<IterationTimings>
        let stages = IterationStage.allCases.map { stage in
            Column.number("\(stage.rawValue)_seconds") { .seconds($0.seconds(stage)) }
        }
        let beside = OverlappedWork.allCases.map { work in
            Column.number("\(work.rawValue)_beside_seconds") { .seconds($0.seconds(beside: work)) }
        }
        return timings.iterations.table(
            [
                .count("schema") { _ in 1 }, .word("run_id") { _ in runID },
                .count("iteration", \.iteration), .word("policy", \.policy),
            ] + stages + [.number("total_seconds") { .seconds($0.total) }] + beside
        ).csv
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
