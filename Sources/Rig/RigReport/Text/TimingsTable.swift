package import RigModel

/// How a run spent its time, as a table.
package enum TimingsTable {
    /// A table with a line per stage, followed by the processor time.
    ///
    /// - Parameters:
    ///   - summaries: its stages, in order.
    ///   - whole: the summary of whole iterations.
    /// - Returns: lines, each including its line end.
    package static func text(
        _ timings: RunTimings, summaries: [StageSummary], whole: StageSummary
    ) -> String {
        let titles = ["stage", "total s", "share", "median ms", "p90 ms", "max ms"]
        let lines = TextGrid.lines(
            titles,
            (summaries.filter { $0.share != nil } + [whole]).map(cells)
                + summaries.filter { $0.share == nil }.map(cells),
            numbers: [1, 2, 3, 4, 5])
        let processor =
            "processor time: rig \(seconds(timings.rigProcessor)) s, workers "
            + "\(seconds(timings.workerProcessor)) s, in \(seconds(timings.elapsed)) s"
        return (lines + [processor]).map { "\($0)\n" }.joined()
    }

    private static func cells(_ stage: StageSummary) -> [String] {
        [
            stage.name.replacing("_", with: " "), seconds(stage.total),
            stage.share.map { "\(FixedPoint.text($0 * 100, decimals: 1)) %" } ?? "",
            milliseconds(stage.median), milliseconds(stage.p90), milliseconds(stage.max),
        ]
    }

    private static func seconds(_ seconds: Double) -> String {
        FixedPoint.text(seconds, decimals: 3)
    }

    private static func milliseconds(_ seconds: Double) -> String {
        FixedPoint.text(seconds * 1000, decimals: 2)
    }
}
