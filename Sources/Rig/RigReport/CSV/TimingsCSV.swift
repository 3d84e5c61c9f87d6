package import RigModel

/// `timings.csv` of a run with `--timings`: one row per iteration, one column per stage.
///
/// Columns: `schema`, `run_id`, `iteration`, `policy`, then the stages in their order, which add up
/// to `total_seconds`, then work done in parallel. Seconds have six decimals; an empty field is a
/// stage that did not occur.
package enum TimingsCSV {
    /// The version of the columns.
    package static let schema = 1

    package static func text(_ timings: RunTimings, runID: String) -> String {
        timings.iterations.reduce(into: CSVWriter.line(header)) { text, iteration in
            text += CSVWriter.line(
                ["\(schema)", runID, "\(iteration.iteration)", iteration.policy]
                    + IterationStage.allCases.map { seconds(iteration.seconds($0)) }
                    + [seconds(iteration.total)]
                    + OverlappedWork.allCases.map { seconds(iteration.seconds(beside: $0)) })
        }
    }

    private static var header: [String] {
        ["schema", "run_id", "iteration", "policy"]
            + IterationStage.allCases.map { "\($0.rawValue)_seconds" } + ["total_seconds"]
            + OverlappedWork.allCases.map { "\($0.rawValue)_beside_seconds" }
    }

    private static func seconds(_ seconds: Double?) -> String {
        seconds.map { FixedPoint.text($0, decimals: 6) } ?? ""
    }
}
