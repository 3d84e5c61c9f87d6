package import RigModel

package struct ProgressState: Sendable, Hashable {
    package var done: Int
    package var total: Int
    /// The policy of the current iteration; nil between iterations.
    package var policy: String?
    /// True if the run has no other policy: its name would say nothing where no policy was given.
    package var isOnlyPolicy = false
    package var violations: Int
    /// The upper bound of the violation rate, 0 to 1; nil while nothing is conclusive.
    package var rateBound: Double?
    package var inconclusive: Int
    package var elapsedSeconds: Double

    package init(
        done: Int = 0, total: Int, policy: String? = nil, violations: Int = 0,
        rateBound: Double? = nil, inconclusive: Int = 0, elapsedSeconds: Double = 0
    ) {
        (self.done, self.total, self.policy) = (done, total, policy)
        (self.violations, self.rateBound) = (violations, rateBound)
        (self.inconclusive, self.elapsedSeconds) = (inconclusive, elapsedSeconds)
    }
}

package enum ProgressLine {
    /// `42/100  512KB  violations 0 (rate < 6.9 %)  inconclusive 0  eta 3 s`.
    package static func text(_ state: ProgressState) -> String {
        let bound = state.rateBound.map { bound in
            " (rate < \(FixedPoint.upperBound(bound * 100, decimals: 1)) %)"
        }
        let parts = [
            "\(state.done)/\(state.total)", state.isOnlyPolicy ? nil : state.policy,
            "violations \(state.violations)\(bound ?? "")", "inconclusive \(state.inconclusive)",
            eta(state),
        ]
        return parts.compactMap { $0 }.joined(separator: "  ")
    }

    private static func eta(_ state: ProgressState) -> String? {
        guard state.done > 0, state.done < state.total else { return nil }
        let left = state.elapsedSeconds / Double(state.done) * Double(state.total - state.done)
        guard left.isFinite, left >= 0, left < 1e9 else { return nil }
        let seconds = Int(left.rounded(.up))
        return seconds < 60 ? "eta \(seconds) s" : "eta \(seconds / 60) min \(seconds % 60) s"
    }
}

package enum PartReportText {
    package static func text(_ report: PartReport) -> String {
        let state = report.wasThere ? "is there already: nothing to do" : "is complete"
        return """
            \(report.partition.words) \(state), \(report.rows) of \(report.expectedRows) rows in \
            \(PrintableText.line(report.folder))
            no verdict: that comes from \(PrintableText.line(report.judgeCommand))

            """
    }
}

package enum TimingsTable {
    package static func text(
        _ timings: RunTimings, summaries: [StageSummary], whole: StageSummary
    ) -> String {
        let table =
            (summaries.filter { $0.share != nil } + [whole]
            + summaries.filter { $0.share == nil }).table([
                .text("stage") { $0.name.replacing("_", with: " ") },
                .number("total s") { seconds($0.total) },
                .number("share") { $0.share.map { Figure.percent($0 * 100, decimals: 1) } ?? "" },
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
