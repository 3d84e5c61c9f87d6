package import RigModel

/// How a run spent its time, as a table.
package enum TimingsTable {
    /// A line per stage and one for whole iterations, followed by the processor time.
    package static func text(
        _ timings: RunTimings, summaries: [StageSummary], whole: StageSummary
    ) -> String {
        let table =
            (summaries.filter { $0.share != nil } + [whole]
            + summaries.filter { $0.share == nil }).table([
                .text("stage") { .string($0.name.replacing("_", with: " ")) },
                .number("total s") { .string(seconds($0.total)) },
                .number("share") {
                    .string($0.share.map { "\(FixedPoint.text($0 * 100, decimals: 1)) %" } ?? "")
                },
                .decimal("median ms", 2) { $0.median * 1000 },
                .decimal("p90 ms", 2) { $0.p90 * 1000 }, .decimal("max ms", 2) { $0.max * 1000 },
            ])
        let processor =
            "processor time: rig \(seconds(timings.rigProcessor)) s, workers "
            + "\(seconds(timings.workerProcessor)) s, in \(seconds(timings.elapsed)) s"
        return table.text + processor + "\n"
    }

    private static func seconds(_ seconds: Double) -> String {
        FixedPoint.text(seconds, decimals: 3)
    }
}
