package import RigModel

/// The output of `rig list`: the stored runs, and what each came to.
package enum RunsTable {
    /// The whole text, each line including its line end.
    package static func text(_ runs: [RunListing]) -> String {
        runs.table([
            .text("run") { .string($0.folder) },
            .text("started") { .string($0.manifest.map { time($0.startedAt) }) },
            .text("verdict") { .string(word($0)) },
            .text("worker") { .string($0.manifest?.worker) },
            .text("workload") { .string($0.manifest?.workload.rawValue) },
            .text("fault") { .string($0.manifest?.fault.rawValue) },
            .number("rows") { .string(count($0)) },
        ]).text
    }

    /// The verdict, or why there is none.
    private static func word(_ run: RunListing) -> String {
        if run.isRunning { return "RUNNING" }
        if let status = run.status { return VerdictHeadline.word(status) }
        guard run.manifest != nil else { return "UNREADABLE" }
        return run.isPart ? "PART" : "NOT JUDGED"
    }

    private static func count(_ run: RunListing) -> String {
        guard let expected = run.manifest?.expectedRows else { return "-" }
        return run.rows == expected ? "\(expected)" : "\(run.rows) of \(expected)"
    }

    /// `2026-11-24 10:41` of `2026-11-24T10:41:30Z`.
    private static func time(_ stamp: String) -> String {
        String(stamp.prefix(16)).replacing("T", with: " ")
    }
}
