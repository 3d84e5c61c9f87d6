package import RigModel

/// `timings.csv` of a run with `--timings`: one row per iteration, one column per stage.
///
/// Columns: `schema`, `run_id`, `iteration`, `policy`, then the stages in their order, which add up
/// to `total_seconds`, then work done in parallel. Seconds have six decimals; an empty field is a
/// stage that did not occur.
package enum TimingsCSV {
    package static func text(_ timings: RunTimings, runID: String) -> String {
        timings.iterations.table(
            [
                .number("schema") { _ in .integer(1) },
                .text("run_id") { _ in .string(runID) },
                .number("iteration") { .integer($0.iteration) },
                .text("policy") { .string($0.policy) },
            ]
                + IterationStage.allCases.map { stage in
                    .number("\(stage.rawValue)_seconds") { .seconds($0.seconds(stage)) }
                } + [.number("total_seconds") { .seconds($0.total) }]
                + OverlappedWork.allCases.map { work in
                    .number("\(work.rawValue)_beside_seconds") {
                        .seconds($0.seconds(beside: work))
                    }
                }
        ).csv
    }
}
