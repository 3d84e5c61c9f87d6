import Foundation
package import RigModel

/// What follows from a run: the exit code, and why, in words.
package struct Outcome: Sendable, Hashable {
    /// The exit code (spec 2, precedence applied).
    package let status: ExitStatus
    /// One line each: first what stands in the way of success, then what the rows prove.
    package let sentences: [String]

    /// Concludes.
    ///
    /// - Incomplete (97) when rows are missing; unreadable (65) when there are more than planned.
    /// - Failed (70) when a row of `disabled` kept what nothing had saved: the null control (B2)
    ///   says that the rig, or the worker's `disabled` mode, is broken.
    /// - Gate failed (99) when a gate fails.
    /// - Inconclusive (98) when a gate cannot be decided, when more than half of the rows of a
    ///   policy prove nothing, or when a kill point was missed of which every one was to be hit.
    ///
    /// - Parameters:
    ///   - rows: every row of the run.
    ///   - expectedRows: how many the plan asks for.
    ///   - summaries: the rows' summaries.
    ///   - gates: every gate's result.
    ///   - coverage: of a run that goes through every kill point: how many it has hit.
    ///   - ending: what ended the run before its plan did, by which it then exits; nil when
    ///     nothing did.
    ///   - endingReason: why, in words.
    ///   - missing: what is missing, and what to do, where more is known than how many rows.
    package init(
        rows: [IterationRow], expectedRows: Int, summaries: [PolicySummary], gates: [GateResult],
        coverage: KillPointCoverage? = nil, ending: ExitStatus? = nil, endingReason: String? = nil,
        missing: String? = nil
    ) {
        let found = Set(rows.map(RowIdentity.init)).count
        let control = Self.nullControl(rows)
        let findings =
            Self.gateObstacles(gates) + Self.inconclusive(rows, summaries) + Self.missed(coverage)
        if let ending {
            status = ending
            sentences =
                [Self.early(ending, endingReason, found, expectedRows)]
                + (control + findings).map(\.sentence) + Self.proofs(summaries)
                + Self.unjudged(rows, summaries)
            return
        }
        let obstacles = control + Self.completeness(found, expectedRows, missing) + findings
        status = ExitStatus.worst(obstacles.map(\.status))
        sentences =
            obstacles.map(\.sentence) + Self.proofs(summaries) + Self.unjudged(rows, summaries)
    }

    private typealias Obstacle = (status: ExitStatus, sentence: String)

    private static func nullControl(_ rows: [IterationRow]) -> [Obstacle] {
        let broken = rows.count { $0.failedCheckers.contains(.nullControl) }
        guard broken > 0 else { return [] }
        return [
            (
                .failure,
                "the null control failed in \(count(broken, "row")): bytes survived that nothing had"
                    + " saved, so the run proves nothing; look at what those rows kept"
            )
        ]
    }

    private static func early(
        _ ending: ExitStatus, _ reason: String?, _ found: Int, _ expected: Int
    ) -> String {
        let rows =
            "\(found) of \(count(expected, "row")) \(expected == 1 ? "is" : "are") there"
        let cause = reason.map { ": \(Wording.oneSentence($0))" } ?? ""
        return ending == .interrupted
            ? "interrupted\(cause): \(rows)" : "ended early\(cause) (\(rows))"
    }

    private static func completeness(
        _ found: Int, _ expected: Int, _ missing: String?
    ) -> [Obstacle] {
        let cause =
            missing
            ?? "the run was cut short; finish it with rig resume, or run it again with the same seed"
        if found < expected {
            return [
                (
                    .incomplete,
                    "\(expected - found) of \(count(expected, "row")) are missing: \(cause)"
                )
            ]
        }
        // A part without iterations has no rows to miss, and yet is not there.
        if let missing { return [(.incomplete, missing)] }
        guard found > expected else { return [] }
        return [
            (
                .data,
                "\(count(found, "row")) where the plan has \(expected): rows of another run are among"
                    + " them; judge the run's own folder"
            )
        ]
    }

    private static func gateObstacles(_ gates: [GateResult]) -> [Obstacle] {
        let failed = gates.filter { $0.verdict == .fails }.map { gate -> Obstacle in
            (.gateFailed, "gate failed: \(gate.title): \(gate.figures)")
        }
        let unknown = gates.filter { $0.verdict == .unknown }.map { gate -> Obstacle in
            (.inconclusive, "gate undecided: \(gate.title): \(gate.figures): \(advice(gate))")
        }
        return failed + unknown
    }

    /// What would decide a gate.
    private static func advice(_ gate: GateResult) -> String {
        if gate.unknownRows > 0, !gate.straddles {
            return "it is not known what \(count(gate.unknownRows, "kill")) lost; the rows say why"
        }
        guard gate.straddles else { return "too few conclusive iterations; run more" }
        let more = gate.rowsToDecide.map {
            "about \($0) kills decide it, if the figure stays; or move the limit"
        }
        return "the interval straddles the limit; \(more ?? "run more, or move the limit")"
    }

    private static func inconclusive(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [Obstacle] {
        summaries.filter { $0.inconclusive * 2 > $0.kills }.map { summary in
            let obscure = rows.filter { $0.policy == summary.policy && !$0.isConclusive }
            let unit = obscure.allSatisfy(\.isSpared) ? "iteration" : "kill"
            return (
                .inconclusive,
                "\(summary.policy): \(summary.inconclusive) of \(count(summary.kills, unit)) prove"
                    + " nothing, most often because: \(usual(obscure.map(\.reason)))"
            )
        }
    }

    /// The most frequent text; of several the first in the alphabet, so that it is always the same.
    private static func usual(_ texts: [String]) -> String {
        let counts = Dictionary(grouping: texts, by: { $0 }).mapValues(\.count)
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key ?? ""
    }

    /// Passes in which not all could be judged: what follows from the rest must not stand alone.
    private static func unjudged(
        _ rows: [IterationRow], _ summaries: [PolicySummary]
    ) -> [String] {
        summaries.compactMap { summary in
            let texts = rows.filter { $0.policy == summary.policy }.compactMap(\.notJudged)
            guard !texts.isEmpty else { return nil }
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            return
                "\(name)not judged in \(texts.count) of \(count(summary.conclusive, "kill")), most"
                + " often: \(usual(texts))"
        }
    }

    private static func missed(_ coverage: KillPointCoverage?) -> [Obstacle] {
        guard let coverage, !coverage.isComplete else { return [] }
        return [
            (
                .inconclusive,
                "\(coverage.counted - coverage.hit) of \(count(coverage.counted, "kill point"))"
                    + " were not hit; the rows that prove nothing say why"
            )
        ]
    }

    private static func proofs(_ summaries: [PolicySummary]) -> [String] {
        summaries.map { summary in
            let name = summaries.count > 1 ? "\(summary.policy): " : ""
            guard summary.conclusive > 0 else {
                return "\(name)no conclusive iteration, so nothing is proven"
            }
            let aside =
                summary.inconclusive > 0 ? " (\(summary.inconclusive) more inconclusive)" : ""
            let unit = summary.kills > summary.iterations ? "kill" : "iteration"
            let found =
                "\(name)\(count(summary.violations, "violation")) in"
                + " \(count(summary.conclusive, unit))\(aside)"
            guard let bound = summary.violationRateUCB95 else {
                return "\(found); \(Wording.nobodyWasKilled)"
            }
            let percent = FixedPoint.text(bound * 100, decimals: 2)
            return "\(found): the true rate is below \(percent) % (95 % confidence)"
        }
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
